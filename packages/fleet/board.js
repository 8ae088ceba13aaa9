import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Queue } from 'bullmq';
import { Hono } from 'hono';
import { Redis } from 'ioredis';

/** By any port, as a tunnel has one of its own. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

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

/** In a time that doesn't depend on where they differ. */
function isSame(one, other) {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}

/** @type {import('./board.d.ts').serveBoard} */
export async function serveBoard({ url, repository, port, stop, onReady }) {
  const prefix = `ralph:${repository}`;
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const token = randomBytes(32).toString('base64url');
  const adapter = new HonoAdapter(serveStatic).setBasePath(`/${token}`);
  const options = { uiConfig: { boardTitle: 'ralph fleet', hideRedisDetails: true } };
  const board = createBullBoard({ queues: [], serverAdapter: adapter, options });
  const known = new Map();
  const showQueues = async () => {
    for (const name of await client.smembers(`${prefix}:queues`)) {
      if (known.has(name)) continue;
      const queue = new Queue(name, { connection: client, prefix });
      queue.on('error', () => undefined);
      known.set(name, queue);
      board.addQueue(new BullMQAdapter(queue, { readOnlyMode: true }));
    }
  };
  const app = new Hono({ strict: false });
  app.use(async (context, next) => {
    // A page elsewhere can have its own name resolved to this machine.
    if (!LOOPBACK.test(context.req.header('host') ?? ''))
      return context.text('This name is not one of this machine.\n', 403);
    if (context.req.method !== 'GET') return context.text('Only GET.\n', 405, { Allow: 'GET' });
    if (!isSame(context.req.path.split('/')[1] ?? '', token)) return context.text('Not found.\n', 404);
    await showQueues();
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  });
  app.route(`/${token}`, adapter.registerPlugin());
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port });
  try {
    await once(server, 'listening');
    onReady(`http://127.0.0.1:${server.address().port}/${token}/`);
    if (!stop.aborted) await once(stop, 'abort');
  } finally {
    server.closeAllConnections();
    server.close();
    for (const queue of known.values()) await queue.close();
    client.disconnect();
  }
}

const HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
