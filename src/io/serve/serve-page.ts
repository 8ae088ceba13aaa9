import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ServedPage =
  | { readonly ok: true; readonly html: string }
  | { readonly ok: false; readonly message: string };

type PageServing = Omit<Serving, 'answerAt'> & {
  /** @param renewing Its reader is sent to it again by `Refresh`. */
  readonly page: (renewing: boolean) => Promise<ServedPage>;
};

/** Seconds after which a reader asks again. */
const RENEWED_SECONDS = 30;

/** Serves one page, as `serveLocally` serves. @throws The Node error where the port can't be had. */
export function servePage({ page, ...place }: PageServing): Promise<{ readonly url: string }> {
  return serveLocally({
    ...place,
    answerAt: () => async (request, response, name) => {
      if (name !== '' && name !== 'still') return plain(response, 404, 'Not found.');
      const renewing = name === '';
      const made = await page(renewing);
      const renewed = renewing ? { Refresh: String(RENEWED_SECONDS) } : {};
      if (!made.ok) return plain(response, 503, made.message, renewed);
      const tag = `"${createHash('sha256').update(made.html).digest('base64url')}"`;
      const isKnown = request.headers['if-none-match'] === tag;
      response.writeHead(isKnown ? 304 : 200, {
        ...renewed,
        'Content-Type': 'text/html; charset=utf-8',
        ETag: tag,
      });
      response.end(isKnown ? undefined : made.html);
    },
  });
}

/** Answers what the address leads to; `name`: the first part of the path behind the token. */
type Answer = (request: IncomingMessage, response: ServerResponse, name: string) => Promise<void>;

type Serving = {
  /** 0: one that is free. */
  readonly port: number;
  /** Ends it. */
  readonly stop: AbortSignal;
  /** Gets the beginning of all paths, without its last slash. */
  readonly answerAt: (base: string) => Answer | Promise<Answer>;
  readonly onReady: (url: string) => void;
};

/**
 * Serves something on loopback, read-only, until `stop` is aborted. Who reads it knows the address: its path holds a token of 256 bits. A
 * name other than one of loopback in `Host` is refused, as a page elsewhere can have its own name resolved to this machine.
 *
 * @throws The Node error where the port can't be had.
 */
export async function serveLocally({
  port,
  stop,
  answerAt,
  onReady,
}: Serving): Promise<{ readonly url: string }> {
  const token = randomBytes(32).toString('base64url');
  const answer = await answerAt(`/${token}`);
  const server = createServer((request, response) => {
    guarded(request, response, token, answer).catch(() => {
      if (!response.headersSent) plain(response, 500, 'The page could not be made.');
      else response.destroy();
    });
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`;
  onReady(url);
  if (!stop.aborted) await once(stop, 'abort');
  server.closeAllConnections();
  server.close();
  return { url };
}

async function guarded(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  answer: Answer,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (!isLoopback(request.headers.host)) return plain(response, 403, 'This name is not one of this machine.');
  if (request.method !== 'GET') return plain(response, 405, 'Only GET.', { Allow: 'GET' });
  const [, given = '', name = ''] = (request.url ?? '').split('/');
  if (!isSame(given, token)) return plain(response, 404, 'Not found.');
  await answer(request, response, name);
}

/** A page has a policy of its own; none may put it into a frame, which only a header can say. */
const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Answers with one line of text. */
function plain(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...more, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** By any port, as a tunnel has one of its own. */
function isLoopback(host: string | undefined): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host ?? '');
}

/** In a time that doesn't depend on where they differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
