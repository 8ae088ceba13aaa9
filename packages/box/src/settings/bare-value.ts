import { isObject } from 'ralph-kit/is-object';
import { redact } from 'ralph-kit/redact';
import { isSecretName } from 'ralph-kit/secrets/names';
import { looksRandom } from 'ralph-kit/secrets/values';

/** User name and password, or token, in an address. */
const USER_INFO = /([a-z][a-z0-9+.-]*:\/\/)[^/@\s"'<>]*@/gi;
/** User name and password in an address without a scheme, as proxies have it. */
const BARE_USER_INFO = /^[^\s/@:"'<>]+:[^\s/@"'<>]+@(?=[\w.-]+(?::\d+)?(?:\/|$))/;
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
/** Minimum length of a token in an address's path, in characters. */
const SHORTEST_TOKEN = 16;
/** A switch isn't a secret whatever its name; a longer number may be one. */
const SWITCH = /^["']?(?:true|false|yes|no|on|off|[01])["']?$/i;

/**
 * Returns a tool's setting without credentials: names and passwords in addresses are cut, members named like a secret
 * and texts with a token are removed. `undefined`: nothing is left.
 * @param name The setting's name; the last part of several counts (`//host/:_authToken`,
 * `systemProp.https.proxyPassword`).
 */
export function bareValue(value: unknown, name: string): unknown {
  if (signsIn(name, value)) return undefined;
  if (typeof value === 'string') return bareText(value, name);
  if (Array.isArray(value)) return bareList(value, name);
  if (!isObject(value) || value instanceof Date) return value;
  const pair = typeof value.name === 'string' ? value.name : '';
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const bareName = bareAddresses(key);
      const bare = bareName === null ? undefined : bareValue(inner, key === 'value' ? pair || key : key);
      return bareName === null || bare === undefined ? [] : [[bareName, bare]];
    }),
  );
}

/** Whether a setting is named like a secret and isn't a switch. */
export function signsIn(name: string, value: unknown): boolean {
  return isNamedSecret(name) && (typeof value === 'object' || !SWITCH.test(String(value)));
}

/** Checks each part of a name: `//registry.example/:_authToken`, `https://a.example/|token`. */
export function isNamedSecret(name: string): boolean {
  return name.split(/[./:@\s|]/).some(isSecretName);
}

/** An option and its value may be two items of a list. */
function bareList(list: readonly unknown[], name: string): unknown[] {
  return list.flatMap((item, at) => {
    const before = list[at - 1];
    const option = typeof before === 'string' ? /^--?([a-z][\w-]+)$/i.exec(before)?.[1] : undefined;
    if (option !== undefined && isNamedSecret(option)) return [];
    const bare = bareValue(item, name);
    return bare === undefined ? [] : [bare];
  });
}

/** Returns a text without credentials; `undefined` when a secret can't be cut out. */
export function bareText(text: string, name: string): string | undefined {
  const bare = bareAddresses(text);
  if (bare === null) return undefined;
  const isHidden = redact(bare, []) !== bare || redact(`${name} = "${bare}"`, []) !== `${name} = "${bare}"`;
  return isHidden ? undefined : bare;
}

/** Removes users, passwords and token parameters from addresses; `null` when a path segment is a token. */
function bareAddresses(text: string): string | null {
  const bare = text
    .replace(USER_INFO, '$1')
    .replace(BARE_USER_INFO, '')
    .replace(ADDRESS, (address) => withoutParameters(address));
  const segments = [...bare.matchAll(ADDRESS)].flatMap(([address]) => address.split('/').slice(3));
  return segments.some((one) => one.length >= SHORTEST_TOKEN && looksRandom(one)) ? null : bare;
}

function withoutParameters(address: string): string {
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  if (query === '') return address;
  const kept = query.split('&').filter((part) => {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    return !isNamedSecret(name) && name !== 'sig' && !looksRandom(value);
  });
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
