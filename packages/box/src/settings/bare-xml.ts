import { bareText, isNamedSecret } from './bare-value.ts';

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^<>[]*(?:\[[\s\S]*?\]\s*)?>|<\/?[A-Za-z_][^<>]*>|[^<]+/gy;
const TAG = /^<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>$/;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Elements that contain sign-ins or name a user. */
const SIGN_INS = /^(?:packageSourceCredentials|apikeys|cleartextpassword|username)$/i;

type Open = { readonly name: string; readonly isKept: boolean };

/**
 * Returns XML without credentials: elements and attributes named like a secret, elements whose attributes name one
 * (`<add key="password" …>`), texts with a token. Comments and entity definitions are removed. `null`: not
 * well-formed.
 */
export function bareXml(text: string): string | null {
  const open: Open[] = [];
  const parts: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return null;
    at += token.length;
    const isKept = open.at(-1)?.isKept ?? true;
    if (/^<(?:!--|!DOCTYPE)/.test(token)) continue;
    if (token.startsWith('<?')) {
      if (isKept) parts.push(token);
      continue;
    }
    if (!/^<[A-Za-z_/]/.test(token)) {
      const inner = token.startsWith('<![CDATA[') ? token.slice(9, -3) : token;
      if (isKept && bareText(inner, open.at(-1)?.name ?? '') !== undefined)
        parts.push(bareText(token, open.at(-1)?.name ?? '') ?? '');
      continue;
    }
    const tag = TAG.exec(token);
    if (tag === null) return null;
    const [, closes, name = '', attributes = '', isEmpty] = tag;
    if (closes === '/') {
      if (open.pop()?.name !== name) return null;
      // The end tag is removed with the element around it.
      if (isKept) parts.push(token);
      continue;
    }
    const bare = isKept && !isSignIn(name) ? bareAttributes(attributes) : null;
    if (bare !== null) parts.push(`<${name}${bare}${isEmpty === '/' ? ' /' : ''}>`);
    if (isEmpty !== '/') open.push({ name, isKept: bare !== null });
  }
  return open.length === 0 ? parts.join('') : null;
}

function isSignIn(name: string): boolean {
  return SIGN_INS.test(name) || isNamedSecret(name);
}

/** Returns `null` when an attribute names a secret, whose value is in another attribute or the element. */
function bareAttributes(attributes: string): string | null {
  const all = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => ({
    name,
    value: double ?? single ?? '',
  }));
  if (all.some(({ name, value }) => /^(?:key|name|id)$/i.test(name) && isNamedSecret(value))) return null;
  return all
    .flatMap(({ name, value }) => {
      const isName = /^(?:key|name|id)$/i.test(name);
      const bare = !isName && isNamedSecret(name) ? undefined : bareText(value, name);
      return bare === undefined ? [] : [` ${name}="${bare.replaceAll('"', '&quot;')}"`];
    })
    .join('');
}
