import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameSecret } from '../same-secret.ts';
import { FOREIGN_HOST, HEADERS, isLoopback, plain } from './guards.ts';

/** Answers a request; `name` is the first part of the path behind the token. */
type Answer = (request: IncomingMessage, response: ServerResponse, name: string) => Promise<void>;

type Serving = {
  /** Port to listen at; 0: any free one. */
  readonly port: number;
  /** Ends the server when it is aborted. */
  readonly stop: AbortSignal;
  /** Called with the address at which all paths begin, without a slash at its end. */
  readonly answerAt: (base: string) => Answer | Promise<Answer>;
  readonly onReady: (url: string) => void;
};

/**
 * Serves pages of another package on loopback, read-only, until `stop` is aborted. Readers know the address: its path
 * holds a token of 256 bits. Other names than those of loopback in `Host` are refused, because a foreign page can have
 * its own name resolved to this machine.
 *
 * @throws The Node error when the port can't be had.
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
  if (!isLoopback(request.headers.host)) return plain(response, 403, FOREIGN_HOST);
  if (request.method !== 'GET') return plain(response, 405, 'Only GET.', { Allow: 'GET' });
  const [, given = '', name = ''] = (request.url ?? '').split('/');
  if (!isSameSecret(given, token)) return plain(response, 404, 'Not found.');
  await answer(request, response, name);
}
