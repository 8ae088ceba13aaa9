import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** State of the service: each request is answered, refused with a status, or never answered. */
export type Mode =
  | 'up'
  | 'hangs'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

export type Service = {
  /** Address of the service without a slash at its end. */
  readonly url: string;
  readonly is: (mode: Mode) => void;
  /** Returns the number of requests so far, refused ones included. */
  readonly count: () => number;
  /** Ends each connection and accepts none until `open`. */
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
};

const opened = new Set<() => Promise<void>>();
afterEach(async () => {
  await Promise.all([...opened].map((close) => close()));
  opened.clear();
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a service on this machine, which is closed after the test. */
export async function serve(answer: Answer): Promise<Service> {
  let mode: Mode = 'up';
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    let body = '';
    for await (const part of request) body += String(part);
    if (mode === 'hangs') return;
    if (mode === 'up') return answer(request, response, body);
    json(response, mode.body ?? {}, mode.status, mode.headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  opened.add(close);
  return {
    url: `http://127.0.0.1:${port}`,
    is: (next) => {
      mode = next;
    },
    count: () => count,
    close,
    open: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
