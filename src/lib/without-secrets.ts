import { isSecretName } from './redact.ts';
import { TOKEN_FORMS } from './token-forms.ts';

/** A name and a password, or a token, in an address. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)[^/@\s"'<>]*@/gi;
/** `name = value`, `name: value`, `name value`; the name may be quoted, or end an address (`//host/:_authToken`). */
const ASSIGNED = /^[\s\-{,]*["']?([\w./:@$\-[\]()]*[\w\])])["']?\s*[=:\s]\s*\S/;
const ELEMENTS =
  /<(packageSourceCredentials|apikeys|password|passphrase|privateKey|username|token|cleartextpassword)\b[^>]*>[\s\S]*?<\/\1\s*>|<add\s[^>]*key="[^"]*(?:password|token|apikey)[^"]*"[^>]*>/gi;

/**
 * Settings of a tool without what signs in: lines that set something named like a secret or hold a token are cut, elements of XML
 * likewise, and names and passwords in addresses.
 */
export function withoutSecrets(text: string): string {
  const bare = text.replace(USER_INFO, '$1');
  if (bare.trimStart().startsWith('<')) return bare.replace(ELEMENTS, '');
  return bare
    .split('\n')
    .filter((line) => !isSecretLine(line))
    .join('\n');
}

function isSecretLine(line: string): boolean {
  if (TOKEN_FORMS.some(({ pattern }) => new RegExp(pattern.source).test(line))) return true;
  const name = ASSIGNED.exec(line)?.[1];
  // `//registry.example.com/:_authToken`, `systemProp.https.proxyPassword`: the last part is what it is called.
  return name?.split(/[./:@]/).some(isSecretName) ?? false;
}
