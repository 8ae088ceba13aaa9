import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** Lines of an attempt that are kept for who follows it. */
const LINES_KEPT = 1000;
/** A wish to cancel outlasts the longest attempt, in milliseconds. */
const WISH_MS = 7 * 24 * 3600_000;
/** Jobs that a report names. */
const NAMED = 1000;
/** An answer that takes longer is none, in milliseconds. */
const LONGEST_ANSWER_MS = 3_000;
/** How long the start waits for the server, in milliseconds. */
const FIRST_ANSWER_MS = 3_000;

/** Compares and acts at once: between two commands the lock could be another's. */
const IF_MINE = (action) =>
  `if redis.call('get', KEYS[1]) == ARGV[1] then return ${action} else return 0 end`;

/** @type {import('./index.d.ts').openEngine} */
export async function openEngine({ url, repository, leaseMs, onProblem = () => undefined }) {
  const prefix = `ralph:${repository}`;
  const key = (...names) => [prefix, ...names].join(':');
  // A command waits until the server is back: who can't wait gives it a limit below.
  const client = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  });
  let isAway = false;
  let isClosed = false;
  const onError = (error) => {
    if (isAway || isClosed) return;
    isAway = true;
    onProblem(error.message || String(error.code ?? error));
  };
  client.on('error', onError);
  client.on('ready', () => {
    isAway = false;
  });
  const limitMs = Math.min(LONGEST_ANSWER_MS, Math.max(200, Math.floor(leaseMs / 3)));
  /** @returns the answer, or `otherwise` where none comes in time. */
  const within = async (work, otherwise, ms = limitMs) => {
    const over = new AbortController();
    const late = sleep(ms, otherwise, { signal: over.signal }).catch(() => otherwise);
    const answer = work.catch((error) => {
      onError(error);
      return otherwise;
    });
    return Promise.race([answer, late]).finally(() => over.abort());
  };
  const first = await within(client.ping(), null, FIRST_ANSWER_MS);
  if (first === null) {
    client.disconnect();
    throw new Error(`Redis at ${withoutUser(url)} doesn't answer`);
  }

  const news = new EventEmitter().setMaxListeners(0);
  const listener = client.duplicate();
  listener.on('error', onError);
  listener.on('message', (_channel, id) => news.emit(id));
  await listener.subscribe(key('ended'));

  /** Each has connections of its own: what blocks on one may not hold up a heartbeat. */
  const options = { connection: client, prefix };
  const known = new Map();
  const opened = (kind, name, make) => {
    const key = `${kind} ${name}`;
    const one = known.get(key) ?? make();
    if (!known.has(key)) one.on('error', onError);
    known.set(key, one);
    return one;
  };
  const queueOf = (name) => opened('queue', name, () => new Queue(name, options));
  const workerOf = (name) =>
    opened('worker', name, () => {
      const worker = new Worker(name, null, {
        ...options,
        autorun: false,
        lockDuration: leaseMs,
        stalledInterval: Math.max(200, Math.floor(leaseMs / 2)),
        // Ralph counts attempts; the engine gives a job again as often as workers are lost.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      });
      void worker.startStalledCheckTimer();
      return worker;
    });
  const refOf = (job) => job.data;

  return {
    leaseMs,
    add: async (queue, job) => {
      await client.sadd(key('queues'), queue);
      await queueOf(queue).add('attempt', job, {
        jobId: job.id,
        removeOnComplete: true,
        keepLogs: LINES_KEPT,
      });
    },
    stateOf: (queue, id) =>
      within(
        (async () => {
          const state = await queueOf(queue).getJobState(id);
          if (state === 'active') return 'active';
          return state === 'unknown' || state === 'completed' || state === 'failed' ? 'gone' : 'waiting';
        })(),
        'away',
      ),
    // One at work is locked, and stays.
    remove: async (queue, id) => {
      await within(queueOf(queue).remove(id), 0);
    },
    ended: (id, signal) =>
      new Promise((resolve) => {
        const over = () => {
          news.off(id, over);
          signal.removeEventListener('abort', over);
          resolve();
        };
        if (signal.aborted) return resolve();
        news.on(id, over);
        signal.addEventListener('abort', over, { once: true });
      }),
    queues: async () => (await within(client.smembers(key('queues')), [])).toSorted(),
    claim: async (queue) => {
      if ((await within(client.exists(key('paused'), key('held', queue)), 1)) > 0) return null;
      const token = randomUUID();
      const job = await within(workerOf(queue).getNextJob(token, { block: false }), undefined);
      if (job === undefined) return null;
      return {
        job: refOf(job),
        beat: () =>
          within(
            (async () => {
              if ((await job.extendLock(token, leaseMs)) !== 1) return 'lost';
              return (await client.exists(key('cancel', job.id))) === 1 ? 'cancelled' : 'held';
            })(),
            'away',
          ),
        finish: async () => {
          await within(job.moveToCompleted('', token, false), undefined);
          await within(client.publish(key('ended'), job.id), 0);
        },
        release: async () => {
          await within(job.moveToWait(token), undefined);
        },
        log: (line) => void job.log(line).catch(() => undefined),
      };
    },
    cancel: async (id) => {
      await client.set(key('cancel', id), '1', 'PX', WISH_MS);
    },
    isCancelled: async (id) => (await within(client.exists(key('cancel', id)), 0)) === 1,
    pause: async (paused) => {
      await (paused ? client.set(key('paused'), '1') : client.del(key('paused')));
    },
    isPaused: async () => (await client.exists(key('paused'))) === 1,
    hold: async (queue, ms) => {
      const at = key('held', queue);
      await within(ms > 0 ? client.set(at, '1', 'PX', Math.ceil(ms)) : client.del(at), undefined);
    },
    isHeld: async (queue) => (await within(client.exists(key('held', queue)), 0)) === 1,
    lock: async (name, owner) => {
      const [at, mine] = [key('lock', name), `${owner} ${randomUUID()}`];
      if ((await client.set(at, mine, 'PX', leaseMs, 'NX')) === null) {
        return { heldBy: ownerIn(await client.get(at)) ?? 'another' };
      }
      return {
        beat: () =>
          within(
            (async () => {
              const renewed = await client.eval(
                IF_MINE(`redis.call('pexpire', KEYS[1], ${leaseMs})`),
                1,
                at,
                mine,
              );
              if (renewed === 1) return 'held';
              // It ran out, and is free: a server that was away or lost what it knew.
              return (await client.set(at, mine, 'PX', leaseMs, 'NX')) === null ? 'lost' : 'held';
            })(),
            'away',
          ),
        release: async () => {
          await within(client.eval(IF_MINE("redis.call('del', KEYS[1])"), 1, at, mine), 0);
        },
      };
    },
    holder: async (name) => ownerIn(await client.get(key('lock', name))),
    report: async (worker) => {
      await within(client.set(key('worker', worker.name), JSON.stringify(worker), 'PX', leaseMs * 3), null);
      return { drains: (await within(client.getdel(key('drain', worker.name)), null)) !== null };
    },
    drain: async (worker) => {
      await client.set(key('drain', worker), '1', 'PX', WISH_MS);
    },
    workers: async () => {
      const found = await keysOf(client, key('worker', '*'));
      const texts = found.length === 0 ? [] : await client.mget(found);
      return texts.filter((text) => text !== null).map((text) => JSON.parse(text));
    },
    queueReports: async () => {
      const names = (await client.smembers(key('queues'))).toSorted();
      const reports = [];
      for (const name of names) {
        const queue = queueOf(name);
        const waiting = await queue.getJobs(['waiting', 'paused', 'delayed', 'prioritized'], 0, NAMED, true);
        const active = await queue.getJobs(['active'], 0, NAMED, true);
        const there = (jobs) => jobs.filter((job) => job != null).map(refOf);
        reports.push({
          queue: name,
          held: (await client.exists(key('held', name))) === 1,
          waiting: there(waiting),
          active: there(active),
        });
      }
      return reports;
    },
    logs: async (queue, id, from) => (await queueOf(queue).getJobLogs(id, from, -1, true)).logs,
    server: async () => {
      const began = Date.now();
      const [seconds, micros] = await client.time();
      const tookMs = Date.now() - began;
      const version = /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? null;
      // A user of its own may not be allowed to ask for settings.
      const setting = async (name) => (await client.config('GET', name).catch(() => []))[1] ?? null;
      const append = await setting('appendonly');
      const persistence = append === 'yes' ? await setting('appendfsync') : append === null ? null : 'off';
      const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      return { version, persistence, eviction: await setting('maxmemory-policy'), now, tookMs };
    },
    close: async () => {
      isClosed = true;
      const ends = [...known.values()].map((one) => one.close(true));
      await within(Promise.all(ends), undefined);
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

/** A lock holds its owner and a number that no other one has. */
function ownerIn(text) {
  return text === null ? null : text.slice(0, text.lastIndexOf(' '));
}

/** An address may hold a name and a password. */
function withoutUser(url) {
  return url.replace(/:\/\/[^\s/]*@/g, '://');
}
