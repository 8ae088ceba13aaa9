import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** Compares and acts at once: between two commands the key could be another's. */
const KEEP = `local text = redis.call('get', KEYS[1])
if text and text ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const GIVE_UP = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`;

/** How often a connection is tried for a command that doesn't wait. */
const TRIES = 2;

/** A Redis: commands wait while it is away. @type {import('./server.d.ts').OpenServer} */
export async function openRedis({ url, repository, answerMs, waits = true, onEnded, onError, onReady }) {
  if (!/^\/?\d*$/.test(new URL(url).pathname)) throw new Error('The database of a Redis is a number');
  const prefix = `ralph:${repository}`;
  const key = (name) => `${prefix}:${name}`;
  const client = new Redis(url, {
    maxRetriesPerRequest: waits ? null : TRIES,
    retryStrategy: (times) => Math.min(times * 100, 1000),
    // A network that was cut is silent: what is silent that long is opened anew.
    socketTimeout: answerMs,
    connectTimeout: answerMs,
    keepAlive: answerMs,
  });
  client.on('error', onError);
  client.on('ready', onReady);
  // ioredis asks again when it is connected again, and lets nothing handle that this fails where the connection is closed meanwhile.
  const listener = client.duplicate({ autoResubscribe: false });
  const listen = () => listener.subscribe(key('ended'));
  listener.on('error', onError);
  listener.on('message', (_channel, id) => onEnded(id));
  const options = { connection: client, prefix };
  return {
    name: 'Redis',
    connect: async () => {
      await client.ping();
      await listen();
      listener.on('ready', () => listen().catch(onError));
    },
    queue: (name) => new Queue(name, options),
    // Each has connections of its own: what blocks on one may not hold up a heartbeat.
    worker: (name, more) => new Worker(name, null, { ...options, ...more }),
    addQueue: async (name) => {
      await client.sadd(key('queues'), name);
    },
    queues: () => client.smembers(key('queues')),
    read: (name) => client.get(key(name)),
    write: async (name, text, forMs) => {
      await client.set(key(name), text, ...(forMs === null ? [] : ['PX', forMs]));
    },
    remove: async (name) => {
      await client.del(key(name));
    },
    take: (name) => client.getdel(key(name)),
    all: async (beginning) => {
      const found = await keysOf(client, key(`${beginning}*`));
      const texts = found.length === 0 ? [] : await client.mget(found);
      return texts.filter((text) => text !== null);
    },
    keep: async (name, text, forMs) => (await client.eval(KEEP, 1, key(name), text, forMs)) === 1,
    giveUp: async (name, text) => {
      await client.eval(GIVE_UP, 1, key(name), text);
    },
    tellEnded: async (id) => {
      await client.publish(key('ended'), id);
    },
    facts: async () => {
      const [seconds, micros] = await client.time();
      const version = /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? null;
      // A user of its own may not be allowed to ask for settings.
      const setting = async (name) => (await client.config('GET', name).catch(() => []))[1] ?? null;
      const [append, fsync] = [await setting('appendonly'), await setting('appendfsync')];
      const eviction = await setting('maxmemory-policy');
      return {
        version,
        keeps:
          append === null
            ? null
            : {
                isSure: append === 'yes' && fsync === 'always',
                by: `appendonly ${append}, appendfsync ${fsync}`,
              },
        evicts:
          eviction === null
            ? null
            : { isSure: eviction === 'noeviction', by: `maxmemory-policy ${eviction}` },
        now: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000),
      };
    },
    close: async () => {
      listener.disconnect();
      client.disconnect();
    },
  };
}

async function keysOf(client, pattern) {
  const found = new Set();
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 500);
    for (const one of keys) found.add(one);
    cursor = next;
  } while (cursor !== '0');
  return [...found].toSorted();
}
