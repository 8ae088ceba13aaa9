/** What `[box] network` and `gate_network` say: every host, none, or those of a list. */
export type Network = 'on' | 'off' | readonly string[];

/** Ports of an entry that names none: plain HTTP and HTTPS. */
const USUAL_PORTS: readonly number[] = [80, 443];
/** Below it, no program in a box may listen. */
const LEAST_LOOPBACK_PORT = 1024;

/** A place on the network, in the form that `canonicalHost` gives. */
export type Host = { readonly host: string; readonly port: number };

/** One entry of a list. `host` of a suffix is without its `*`: `.example.org`. */
export type HostEntry = { readonly host: string; readonly isSuffix: boolean; readonly port: number | null };

type Parsed =
  | { readonly ok: true; readonly entry: HostEntry }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads an entry: `api.example.com`, `*.example.com`, `example.com:8443`, `192.0.2.1`, `[2001:db8::1]:8443`.
 * `problem` is what was expected.
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

/** The entries of a list that was checked when it was read. */
export function hostEntries(list: readonly string[]): HostEntry[] {
  return list.flatMap((text) => {
    const parsed = parseHostEntry(text);
    return parsed.ok ? [parsed.entry] : [];
  });
}

/** `HOST:PORT` as a client of a proxy writes it; `null`: nothing else is one. */
export function parseAuthority(text: string): Host | null {
  const [, name = '', digits] = split(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host === null || !(port > 0 && port <= 65_535) ? null : { host, port };
}

/** Name or address, and port: addresses of IPv6 stand in brackets, or have no port. */
function split(text: string): RegExpExecArray | null {
  return (
    /^([^:[\]]+|\[[^[\]]+\])(?::(\d{1,5}))?$/.exec(text) ?? /^([\da-f:.]*:[\da-f.]*:[\da-f:.]*)$/i.exec(text)
  );
}

/**
 * One form for all ways to write a host: small letters, punycode, no dot at the end, addresses in their usual form whatever
 * their numbers are written in (`0x7f.1` is `127.0.0.1`). `null`: it isn't a host.
 */
export function canonicalHost(text: string): string | null {
  // What a URL would read as something beside its host.
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

/** Whether a list lets a host be reached. */
export function isListed(entries: readonly HostEntry[], { host, port }: Host): boolean {
  return entries.some(
    (entry) =>
      (entry.isSuffix ? host.endsWith(entry.host) && !isAddress(host) : host === entry.host) &&
      (entry.port === null ? USUAL_PORTS.includes(port) : port === entry.port),
  );
}

/** As it has to be written in a list. */
export function entryFor({ host, port }: Host): string {
  return USUAL_PORTS.includes(port) ? host : `${host}:${port}`;
}

/** This machine itself. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)
  );
}

/** In the canonical form, a host that ends with a number is an address. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host);
}
