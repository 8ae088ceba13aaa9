import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { canonicalHost, type Host, parseAuthority } from '../protocol/hosts.ts';
import { type Address, type Reach, routeTo } from './route.ts';

/** Idle limit of a connection in milliseconds; a model may think for minutes without output. */
const IDLE_MS = 15 * 60_000;
/** Limit for an answer of the host or your proxy, in milliseconds. */
const CONNECT_MS = 30_000;

/** Headers that apply to one connection, not to the request (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Returns an HTTP proxy for programs in a box: tunnels (CONNECT) and plain requests to listed hosts. Redirections
 * aren't followed, so the client's next request is checked too. Tunnels aren't read.
 * @param hold Registers a connection to be closed with the box.
 */
export function hostProxy(reach: Reach, hold: (socket: Duplex) => void): Server {
  // A long upload is fine as long as it progresses.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    forward(reach, request, response).catch((error) => refuse(response, 502, reasonOf(error)));
  });
  server.timeout = IDLE_MS;
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    tunnel(reach, request.url ?? '', hold)
      .then((opened) => ('why' in opened ? answer(client, opened) : join(client, opened, head)))
      .catch((error) => answer(client, { status: 502, why: reasonOf(error) }));
  });
  return server;
}

type Refusal = { readonly status: 400 | 403 | 502; readonly why: string };

/** Opens a connection to the host that a client names. @throws Error when the host can't be reached. */
async function tunnel(
  reach: Reach,
  authority: string,
  hold: (socket: Duplex) => void,
): Promise<Socket | Refusal> {
  const target = parseAuthority(authority);
  if (target === null) return { status: 400, why: 'CONNECT takes a host and its port.' };
  const route = await routeTo(reach, target, 'https');
  if (route.kind === 'refused') return { status: 403, why: route.why };
  const socket =
    route.kind === 'proxy'
      ? await throughProxy(route.proxy, target)
      : await connected(
          connect({ ...place(target), lookup: lookupOf(route.addresses), allowHalfOpen: true }),
        );
  hold(socket);
  return socket;
}

function place({ host, port }: Host) {
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

/** Connects to the addresses that were checked, without resolving the name again. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    limitTo(CONNECT_MS, socket);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Opens a connection to a host through your own proxy. @throws Error when the proxy refuses. */
function throughProxy(proxy: URL, { host, port }: Host): Promise<Socket> {
  const authority = `${host}:${port}`;
  return new Promise((resolve, reject) => {
    const request = toProxy(proxy, { method: 'CONNECT', path: authority, headers: { host: authority } });
    request.once('connect', ({ statusCode }, socket: Socket, head) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`your proxy refused it (${statusCode})`));
    });
    request.once('error', reject);
    request.end();
  });
}

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
};

/** Sends a request to your proxy with your credentials. @throws Error when the proxy's protocol isn't http or https. */
function toProxy(proxy: URL, { headers, ...sent }: Sent) {
  const [isPlain, isTls] = [proxy.protocol === 'http:', proxy.protocol === 'https:'];
  if (!isPlain && !isTls) throw new Error(`your proxy is ${proxy.protocol}//, and ralph uses http and https`);
  const { hostname, port, username, password } = proxy;
  const named = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const credentials =
    username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(named).toString('base64')}` };
  const options = {
    ...sent,
    ...place({ host: hostname, port: Number(port) || (isTls ? 443 : 80) }),
    headers: { ...headers, ...credentials },
    agent: false,
    setHost: false,
  };
  const asked = isTls ? requestHttps(options) : requestHttp(options);
  asked.once('socket', (socket) => limitTo(CONNECT_MS, socket));
  return asked;
}

/** Forwards both ways until both sides end or the connection is idle for too long. */
function join(client: Duplex, host: Socket, head: Buffer): void {
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  host.write(head);
  for (const [one, other] of [
    [client, host],
    [host, client],
  ] as const) {
    if ('setTimeout' in one) limitTo(IDLE_MS, one as Socket);
    one.pipe(other);
    one.on('error', () => other.destroy());
    // Data in flight still arrives; nothing more is read.
    one.on('close', () => {
      other.end();
      other.resume();
    });
  }
  if (client.destroyed) host.destroy();
}

/** Ends a connection that is silent for some time. This replaces an earlier limit of the same connection. */
function limitTo(ms: number, socket: Socket): void {
  socket.removeAllListeners('timeout');
  socket.setTimeout(ms, () => socket.destroy(new Error(`no answer within ${ms / 1000} s`)));
}

/** Forwards a plain request, rebuilt from the checked parts. @throws The Node error when a name isn't known. */
async function forward(reach: Reach, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = plainUrl(request.url ?? '');
  if (url === null)
    return refuse(response, 400, 'A proxy takes whole addresses (http://HOST/PATH), and CONNECT for https.');
  const target = { host: canonicalHost(url.hostname) ?? '', port: Number(url.port) || 80 };
  const route = await routeTo(reach, target, 'http');
  if (route.kind === 'refused') return refuse(response, 403, route.why);
  const { method = 'GET' } = request;
  const headers = { ...endToEnd(request), ...bodyOf(request), host: url.host, connection: 'close' };
  const path = `${url.pathname}${url.search}`;
  const sent =
    route.kind === 'proxy'
      ? toProxy(route.proxy, { method, headers, path: `http://${url.host}${path}` })
      : requestHttp({
          method,
          headers,
          path,
          ...place(target),
          lookup: lookupOf(route.addresses),
          agent: false,
          setHost: false,
          timeout: IDLE_MS,
        });
  sent.once('response', (answered) => {
    answered.socket.setTimeout(IDLE_MS);
    response.writeHead(answered.statusCode ?? 502, endToEnd(answered));
    answered.pipe(response);
    answered.on('error', () => response.destroy());
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  sent.on('error', (error) => refuse(response, 502, reasonOf(error)));
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}

/** Returns `null` unless the text is `http://HOST/…` without user name and password. */
function plainUrl(text: string): URL | null {
  if (!/^http:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && canonicalHost(url.hostname) !== null ? url : null;
}

function endToEnd({ headersDistinct, headers }: IncomingMessage): Record<string, string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headersDistinct).filter(
    ([name]) => !HOP_BY_HOP.has(name) && !named.includes(name),
  );
  return Object.fromEntries(kept.map(([name, values = []]) => [name, values]));
}

/** For methods that usually have no body, Node would send one without saying where it ends. */
function bodyOf({ headers }: IncomingMessage): Record<string, string> {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

function refuse(response: ServerResponse, status: Refusal['status'], why: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`ralph: ${why}\n`);
}

function answer(client: Duplex, { status, why }: Refusal): void {
  const body = `ralph: ${why}\n`;
  const headers = `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`);
  client.resume();
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `it can't be reached (${code ?? message}).`;
}
