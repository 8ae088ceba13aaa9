/** Ports that an entry without a port allows: plain HTTP and HTTPS. */
const USUAL_PORTS: readonly number[] = [80, 443];
/** Lowest port of this machine that an entry can allow: programs in a box may not listen below it. */
const LEAST_LOOPBACK_PORT = 1024;

/** The host is in the form that `canonicalHost` returns. */
export type Host = { readonly host: string; readonly port: number };

/** An entry of a host list. With `isSuffix`, `host` begins with a dot: `.example.org` for `*.example.org`. */
export type HostEntry = { readonly host: string; readonly isSuffix: boolean; readonly port: number | null };

type Parsed =
  | { readonly ok: true; readonly entry: HostEntry }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads `example.com`, `*.example.com`, `example.com:8443`, `192.0.2.1`, `[::1]:80`. `problem` says what was expected.
 */
export function parseHostEntry(text: string): Parsed {
  const refused = (problem: string): Parsed => ({ ok: false, problem });
  if (text === '*') return refused('"on" instead of the list, which is every host');
  if (text.includes('/')) return refused('a host without https:// and path');
  const isSuffix = text.startsWith('*.');
  const [, name = '', digits] = split(isSuffix ? text.slice(2) : text) ?? [];
  const host = canonicalHost(name);
  const port = digits === undefined ? null : Number(digits);
  if (host === null || port === 0 || (port ?? 0) > 65_535 || (isSuffix && isAddress(host)))
    return refused('a host such as "api.example.com", "*.example.com" or "example.com:8443"');
  if (isLoopback(host) && (isSuffix || port === null || port < LEAST_LOOPBACK_PORT))
    return refused(`a port from ${LEAST_LOOPBACK_PORT} on for this machine, such as "localhost:5432"`);
  return { ok: true, entry: { host: isSuffix ? `.${host}` : host, isSuffix, port } };
}

export function hostEntries(list: readonly string[]): HostEntry[] {
  return list.flatMap((text) => {
    const parsed = parseHostEntry(text);
    return parsed.ok ? [parsed.entry] : [];
  });
}

/** Reads `HOST:PORT` as a proxy's client writes it; `null` for anything else. */
export function parseAuthority(text: string): Host | null {
  const [, name = '', digits] = split(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host === null || !(port > 0 && port <= 65_535) ? null : { host, port };
}

/** Splits a host from its port. IPv6 addresses are in brackets, or have no port. */
function split(text: string): RegExpExecArray | null {
  return (
    /^([^:[\]]+|\[[^[\]]+\])(?::(\d{1,5}))?$/.exec(text) ?? /^([\da-f:.]*:[\da-f.]*:[\da-f:.]*)$/i.exec(text)
  );
}

/**
 * Returns a host in one form: lower case, punycode, no dot at the end, addresses as usual whatever the numbers' base
 * (`0x7f.1` is `127.0.0.1`). `null`: the text isn't a host.
 */
export function canonicalHost(text: string): string | null {
  // A URL would read these characters as something other than a part of its host.
  if (text === '' || /[\s\p{Cc}*/?#@\\%<>^|]/u.test(text)) return null;
  const written = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  try {
    const { hostname } = new URL(`http://${written}/`);
    const host = hostname.replace(/\.$/, '');
    return host === '' || host.length > 253 || /^\.|\.\.|\.$/.test(host) ? null : host;
  } catch {
    return null;
  }
}

export function isListed(entries: readonly HostEntry[], { host, port }: Host): boolean {
  return entries.some(
    (entry) =>
      (entry.isSuffix ? host.endsWith(entry.host) && !isAddress(host) : host === entry.host) &&
      (entry.port === null ? USUAL_PORTS.includes(port) : port === entry.port),
  );
}

export function entryFor({ host, port }: Host): string {
  return USUAL_PORTS.includes(port) ? host : `${host}:${port}`;
}

export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)
  );
}

/** Returns whether a canonical host is an IP address: only addresses end with a number. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host);
}
