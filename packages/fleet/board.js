import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { openRedis } from './redis.js';

/** The page's own files alone, with the styles that it writes; it asks for a font elsewhere, and gets none. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
  ...[
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ],
].join('; ');
/** A connection that is silent for longer after a question is given up, in milliseconds. */
const ANSWER_MS = 3_000;
const NOTHING = () => undefined;

/** @type {import('./board.d.ts').openBoard} */
export async function openBoard({ url, repository, base }) {
  let why = 'it is silent';
  const onError = (error) => {
    why = error.message;
  };
  const heard = { onEnded: NOTHING, onError, onReady: NOTHING };
  const server = await openRedis({ url, repository, answerMs: ANSWER_MS, waits: false, ...heard });
  const adapter = new HonoAdapter(serveStatic).setBasePath(base);
  const options = { uiConfig: { boardTitle: 'ralph fleet', hideRedisDetails: true } };
  const board = createBullBoard({ queues: [], serverAdapter: adapter, options });
  const known = new Map();
  const showQueues = async () => {
    for (const name of await server.queues()) {
      if (known.has(name)) continue;
      const queue = server.queue(name);
      queue.on('error', NOTHING);
      known.set(name, queue);
      board.addQueue(new BullMQAdapter(queue, { readOnlyMode: true }));
    }
  };
  const listener = getRequestListener(
    new Hono({ strict: false }).route(base, adapter.registerPlugin()).fetch,
  );
  return {
    answer: async (request, response) => {
      try {
        await showQueues();
      } catch {
        response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end(`The Redis of the fleet doesn't answer: ${why}\n`);
        return;
      }
      response.setHeader('Content-Security-Policy', POLICY);
      await listener(request, response);
    },
    close: async () => {
      for (const queue of known.values()) await queue.close();
      await server.close();
    },
  };
}
