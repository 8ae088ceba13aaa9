import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isSameSecret } from '../same-secret.ts';
import { FOREIGN_HOST, HEADERS, isLoopback, plain } from './guards.ts';
import { type Followed, sendStates } from './send-states.ts';

/** Bytes of a form that are read; a longer one is refused. */
const MOST_FORM = 64 * 1024;
/** Bytes of a refused form that are received and dropped before the connection is cut off. */
const MOST_DROPPED = 1024 * 1024;
const MOST_SESSIONS = 50;
const MOST_STREAMS = 64;
const MOST_CONNECTIONS = 512;
/** Path at which the token is exchanged for a session. */
const ENTRANCE = '/enter';

/** A browser that has exchanged the token for a cookie. */
export type Session = {
  /** Secret of the session, from which the codes in its forms are made. It never leaves this process. */
  readonly secret: Buffer;
  /** Result of the last action, shown once by the next page; `null`: none. */
  notice: { readonly ok: boolean; readonly text: string } | null;
};

/** Both ports of a connection on this machine; they identify the process at its other end. */
export type Connection = { readonly from: number; readonly to: number };

export type Asked = {
  /** Path of the request: begins with a slash, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly session: Session;
};

export type Reply =
  | { readonly status: number; readonly html: string }
  | { readonly status: 303; readonly location: string };

export type Site = {
  /** Content-Security-Policy of all pages. */
  readonly policy: string;
  /**
   * Returns the page that asks for the token. @param problem Why the last try failed; `null`: there was none.
   */
  readonly enter: (problem: string | null) => string;
  /** Returns the page at a path; `null`: there is no such page. */
  readonly show: (asked: Asked) => Promise<Reply | null>;
  /** Carries out the action of a form. `null`: the site is read-only. */
  readonly act: ((asked: Asked, form: URLSearchParams) => Promise<Reply | null>) | null;
  /**
   * Follows the data of a page; `null`: there is no such page. @param renew Called when the page has changed.
   */
  readonly follow: (asked: Asked, renew: () => void) => Followed | null;
  /** Returns why the program at the other end may not enter or act; `null`: it may. */
  readonly refuse: (connection: Connection) => Promise<string | null>;
};

export type SitePlace = {
  /** Port to listen at; 0: any free one. */
  readonly port: number;
  /** Address to listen at; by default that of loopback. */
  readonly listen: string;
  /** Address of your own proxy, such as `https://ralph.example.org`; `null`: none. */
  readonly origin: string | null;
  /** Ends the server when it is aborted. */
  readonly stop: AbortSignal;
  readonly onReady: (url: string) => void;
};

type Serving = {
  readonly site: Site;
  readonly place: SitePlace;
  readonly token: string;
  /** Sessions by the hash of their cookie, oldest first. */
  readonly sessions: Map<string, Session>;
  readonly streams: Set<ServerResponse>;
};

/**
 * Serves a site until `stop` is aborted, to browsers that came with the token: it stands behind `#` in the address, so
 * that no request, log or referrer has it, and is exchanged by a POST for a cookie that scripts can't read.
 *
 * @throws The Node error when the address can't be had.
 */
export async function serveSite(site: Site, place: SitePlace): Promise<void> {
  const serving: Serving = {
    site,
    place,
    token: randomBytes(32).toString('base64url'),
    sessions: new Map(),
    streams: new Set(),
  };
  const server = createServer((request, response) => {
    answer(serving, request, response).catch(() => {
      if (!response.headersSent) plain(response, 500, 'The page could not be made.');
      else response.destroy();
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host: place.listen, port: place.port });
  await once(server, 'listening');
  place.onReady(`${originAt(server, place)}/#token=${serving.token}`);
  if (!place.stop.aborted) await once(place.stop, 'abort');
  server.closeAllConnections();
  server.close();
}

function originAt(server: Server, { listen, origin }: SitePlace): string {
  if (origin !== null) return origin;
  const { port } = server.address() as AddressInfo;
  const isAny = listen === '0.0.0.0' || listen === '::';
  const shown = isAny ? (addressOfMachine() ?? '127.0.0.1') : listen;
  const host = isIP(shown) === 6 ? `[${shown}]` : shown;
  return `http://${host}:${port}`;
}

function addressOfMachine(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { site, place } = serving;
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', site.policy);
  // With the policy `no-referrer`, browsers would hide the origin of a form's POST, and it couldn't be
  // checked.
  response.setHeader('Referrer-Policy', 'same-origin');
  const { host = '', origin } = request.headers;
  if (!isOwnHost(host, place)) return plain(response, 403, FOREIGN_HOST);
  const { method = '' } = request;
  if (method !== 'GET' && method !== 'POST')
    return plain(response, 405, 'Only GET and POST.', { Allow: 'GET, POST' });
  const [path = '/', query = ''] = splitOnce(request.url ?? '/', '?');
  if (method === 'POST' && !isOwnOrigin(origin, host, place))
    return plain(response, 403, "This request doesn't come from ralph's own page.");
  if (method === 'POST' && path === ENTRANCE) return enter(serving, request, response);
  const session = sessionOf(serving, request);
  if (session === null) {
    const problem =
      cookieOf(request) === null
        ? null
        : 'This browser has the token of an earlier start of the page. Open the address that the newest start printed.';
    return send(response, { status: 401, html: site.enter(problem) });
  }
  const asked: Asked = { path, query: new URLSearchParams(query), session };
  if (method === 'GET') {
    if (request.headers.accept?.includes('text/event-stream')) return stream(serving, asked, response);
    return send(response, await site.show(asked));
  }
  if (site.act === null) return plain(response, 405, 'This page is read-only: ralph page', { Allow: 'GET' });
  const refused = await refusalOf(site, request);
  if (refused !== null) return plain(response, 403, refused);
  const form = await formOf(request);
  if (typeof form === 'number') return plain(response, form, FORM_PROBLEMS[form] ?? '');
  send(response, await site.act(asked, form));
}

function send(response: ServerResponse, reply: Reply | null): void {
  if (reply === null) plain(response, 404, 'Not found.');
  else if ('location' in reply) {
    response.writeHead(303, { Location: reply.location });
    response.end();
  } else {
    response.writeHead(reply.status, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(reply.html);
  }
}

// ---------- Which browser sends a request, and whether it may

function isOwnHost(host: string, { listen, origin }: SitePlace): boolean {
  if (isLoopback(host)) return true;
  if (origin !== null && host === new URL(origin).host) return true;
  if (isLoopbackAddress(listen)) return false;
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  // An address in `Host` is as good as the one listened at: an attack by DNS rebinding needs a name.
  return isIP(name) !== 0 || name.toLowerCase() === listen.toLowerCase();
}

export function isLoopbackAddress(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Whether a request's `Origin` is the site's own. Browsers send the origin with each POST, so a request
 * without one isn't a form of the page. A request by your proxy's name comes by TLS, and the proxy may have
 * put this machine's name in its place.
 */
function isOwnOrigin(origin: string | undefined, host: string, place: SitePlace): boolean {
  if (origin === undefined) return false;
  if (origin === place.origin) return true;
  const isProxied = place.origin !== null && host === new URL(place.origin).host;
  return !isProxied && origin === `http://${host}`;
}

/** Browsers send cookies to all ports of a host, so the cookie's name has the port in it. */
function cookieName(port: number | undefined): string {
  return `ralph_${port ?? 0}`;
}

function cookieOf({ headers, socket }: IncomingMessage): string | null {
  const name = `${cookieName(socket.localPort)}=`;
  const found = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(name));
  return found?.slice(name.length) ?? null;
}

function sessionOf({ sessions }: Serving, request: IncomingMessage): Session | null {
  const cookie = cookieOf(request);
  return cookie === null ? null : (sessions.get(hashOf(cookie)) ?? null);
}

async function refusalOf({ refuse }: Site, { socket }: IncomingMessage): Promise<string | null> {
  const { remoteAddress = '', remotePort: from, localPort: to } = socket;
  const isHere = isLoopbackAddress(remoteAddress.replace(/^::ffff:/, ''));
  return isHere && from !== undefined && to !== undefined ? refuse({ from, to }) : null;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Gives a browser that knows the token a cookie in its place. */
async function enter(
  { site, place, token, sessions }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = await formOf(request);
  if (typeof form === 'number') return plain(response, form, FORM_PROBLEMS[form] ?? '');
  // A browser without scripts can't read the part behind `#`, so you may paste the whole address.
  if (!isSameSecret((form.get('token') ?? '').trim().replace(/^.*#token=/, ''), token))
    return send(response, {
      status: 403,
      html: site.enter("This token isn't the one that the newest start of the page printed."),
    });
  const refused = await refusalOf(site, request);
  if (refused !== null) return plain(response, 403, refused);
  const cookie = randomBytes(32).toString('base64url');
  const [oldest] = sessions.keys();
  if (sessions.size >= MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  sessions.set(hashOf(cookie), { secret: randomBytes(32), notice: null });
  const isSecure = request.headers.origin === place.origin && place.origin.startsWith('https:');
  response.setHeader(
    'Set-Cookie',
    `${cookieName(request.socket.localPort)}=${cookie}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  );
  send(response, { status: 303, location: '/' });
}

// ---------- Forms

const FORM_PROBLEMS: Readonly<Record<number, string>> = {
  413: 'This is too long: at most 64 KB.',
  415: 'Only forms are taken.',
};

/** Returns a form, or the status of the refusal. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | 413 | 415> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded(?:$|;)/i.test(type)) return 415;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_DROPPED) {
      request.destroy();
      return 413;
    }
    if (size <= MOST_FORM) parts.push(part);
  }
  return size > MOST_FORM ? 413 : new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)];
}

// ---------- Pages that renew themselves

async function stream({ site, streams }: Serving, asked: Asked, response: ServerResponse): Promise<void> {
  let renew: () => void = () => undefined;
  const followed = site.follow(asked, () => renew());
  if (followed === null) return plain(response, 404, 'Not found.');
  // Of too many open streams the oldest is ended: browsers open streams again automatically, so no browser misses
  // it.
  const [oldest] = streams;
  if (streams.size >= MOST_STREAMS) oldest?.destroy();
  streams.add(response);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  try {
    await sendStates(response, followed, (call) => {
      renew = call;
    });
  } finally {
    streams.delete(response);
    followed.stop();
  }
}
