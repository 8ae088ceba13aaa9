import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lines of an attempt that are kept for who follows it. */
const LINES_KEPT = 1000;
/** A wish to cancel outlasts the longest attempt, in milliseconds. */
const WISH_MS = 7 * 24 * 3600_000;
/** Jobs that a report names. */
const NAMED = 1000;
/** An answer that takes longer is none, in milliseconds. */
const LONGEST_ANSWER_MS = 3_000;
/** How long the start waits for the server, in milliseconds. */
const FIRST_ANSWER_MS = 5_000;
/** As a note says yes. */
const YES = '1';

/** How a server is opened, by the beginning of its address; its package is loaded then. */
const OPENERS = [
  [/^rediss?:\/\//, async (options) => (await import('./redis.js')).openRedis(options)],
  [/^postgres(?:ql)?:\/\//, async (options) => (await import('./postgres.js')).openPostgres(options)],
];

/** @type {import('./index.d.ts').openEngine} */
export async function openEngine({ url, repository, leaseMs, onProblem = () => undefined }) {
  const open = OPENERS.find(([beginning]) => beginning.test(url))?.[1];
  if (open === undefined) throw new Error('The address begins with none of redis://, rediss://, postgres://');
  let isOpen = false;
  let isAway = false;
  let why = 'it is silent';
  const onError = (error) => {
    // A job that is gone isn't the server's fault: bullmq numbers those.
    if (typeof error.code === 'number' && error.code < 0) return;
    why = messageOf(error);
    if (isAway || !isOpen) return;
    isAway = true;
    onProblem(why);
  };
  const onReady = () => {
    isAway = false;
  };
  const news = new EventEmitter().setMaxListeners(0);
  const onEnded = (id) => news.emit(id);
  const server = await open({ url, repository, answerMs: LONGEST_ANSWER_MS, onEnded, onError, onReady });
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
  const isConnected = server.connect().then(() => true);
  if (!(await within(isConnected, false, FIRST_ANSWER_MS))) {
    await within(server.close(), undefined);
    throw new Error(`${server.name} at ${withoutUser(url)} doesn't answer: ${why.replace(/\.+$/, '')}`);
  }
  isOpen = true;

  const known = new Map();
  const opened = (kind, name, make) => {
    const key = `${kind} ${name}`;
    const one = known.get(key) ?? make();
    if (!known.has(key)) one.on('error', onError);
    known.set(key, one);
    return one;
  };
  const queueOf = (name) => opened('queue', name, () => server.queue(name));
  const workerOf = (name) =>
    opened('worker', name, () => {
      const worker = server.worker(name, {
        autorun: false,
        lockDuration: leaseMs,
        stalledInterval: Math.max(200, Math.floor(leaseMs / 2)),
        // Ralph counts attempts; the engine gives a job again as often as workers are lost.
        maxStalledCount: MOST_STALLED,
      });
      void worker.startStalledCheckTimer();
      return worker;
    });
  /** Questions for a job that weren't answered in time: what a server that comes back gives late is still taken. */
  const left = new Map();
  const nextOf = async (name) => {
    const token = randomUUID();
    const question =
      left.get(name) ??
      workerOf(name)
        .getNextJob(token, { block: false })
        .then(
          (job) => ({ job, token }),
          (error) => {
            onError(error);
            return {};
          },
        );
    left.delete(name);
    const answer = await within(question, null);
    if (answer === null) left.set(name, question);
    return answer?.job === undefined ? null : answer;
  };
  const refOf = (job) => job.data;

  return refusing({
    leaseMs,
    add: async (queue, job) => {
      await server.addQueue(queue);
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
    queues: async () => [...(await within(server.queues(), []))].toSorted(),
    claim: async (queue) => {
      const stops = [server.read('paused'), server.read(`held:${queue}`)];
      if ((await within(Promise.all(stops), [YES])).some((one) => one !== null)) return null;
      const next = await nextOf(queue);
      if (next === null) return null;
      const { job, token } = next;
      let logged = Promise.resolve();
      return {
        job: refOf(job),
        beat: () =>
          within(
            (async () => {
              if ((await job.extendLock(token, leaseMs)) !== 1) return 'lost';
              return (await server.read(`cancel:${job.id}`)) === null ? 'held' : 'cancelled';
            })(),
            'away',
          ),
        finish: async () => {
          await within(job.moveToCompleted('', token, false), undefined);
          await within(server.tellEnded(job.id), undefined);
        },
        release: async () => {
          await within(job.moveToWait(token), undefined);
        },
        // One after the other: two at once would get the same number in Postgres, and one of them lost.
        log: (line) => {
          logged = logged.then(() => job.log(line)).catch(() => undefined);
        },
      };
    },
    cancel: (id) => server.write(`cancel:${id}`, YES, WISH_MS),
    isCancelled: async (id) => (await within(server.read(`cancel:${id}`), null)) !== null,
    pause: (paused) => (paused ? server.write('paused', YES, null) : server.remove('paused')),
    isPaused: async () => (await server.read('paused')) !== null,
    hold: async (queue, ms) => {
      const at = `held:${queue}`;
      await within(ms > 0 ? server.write(at, YES, Math.ceil(ms)) : server.remove(at), undefined);
    },
    isHeld: async (queue) => (await within(server.read(`held:${queue}`), null)) !== null,
    lock: async (name, owner) => {
      const [at, mine] = [`lock:${name}`, `${owner} ${randomUUID()}`];
      if (!(await server.keep(at, mine, leaseMs)))
        return { heldBy: ownerIn(await server.read(at)) ?? 'another' };
      return {
        // It may have run out, and be free: a server that was away or lost what it knew.
        beat: () =>
          within(
            server.keep(at, mine, leaseMs).then((isMine) => (isMine ? 'held' : 'lost')),
            'away',
          ),
        release: async () => {
          await within(server.giveUp(at, mine), undefined);
        },
      };
    },
    holder: async (name) => ownerIn(await server.read(`lock:${name}`)),
    report: async (worker) => {
      await within(server.write(`worker:${worker.name}`, JSON.stringify(worker), leaseMs * 3), null);
      return { drains: (await within(server.take(`drain:${worker.name}`), null)) !== null };
    },
    leave: async (name) => {
      for (const kind of ['worker', 'drain']) await within(server.remove(`${kind}:${name}`), undefined);
    },
    drain: (worker) => server.write(`drain:${worker}`, YES, WISH_MS),
    workers: async () => (await server.all('worker:')).map((text) => JSON.parse(text)),
    queueReports: async () => {
      const reports = [];
      for (const name of [...(await server.queues())].toSorted()) {
        const queue = queueOf(name);
        const waiting = await queue.getJobs(['waiting', 'paused', 'delayed', 'prioritized'], 0, NAMED, true);
        const active = await queue.getJobs(['active'], 0, NAMED, true);
        const there = (jobs) => jobs.filter((job) => job != null).map(refOf);
        reports.push({
          queue: name,
          held: (await server.read(`held:${name}`)) !== null,
          waiting: there(waiting),
          active: there(active),
        });
      }
      return reports;
    },
    logs: async (queue, id, from) => (await queueOf(queue).getJobLogs(id, from, -1, true)).logs,
    server: async () => {
      const began = Date.now();
      const facts = await server.facts();
      return { server: server.name, ...facts, tookMs: Date.now() - began };
    },
    close: async () => {
      isOpen = false;
      const ends = [...known.values()].map((one) => one.close(true));
      await within(Promise.all(ends), undefined);
      await within(server.close(), undefined);
    },
  });
}

/** What the server answers isn't what was asked for: it is full, or a user may not do that. */
class EngineError extends Error {
  name = 'EngineError';
}

/** The same engine; what its server refuses is an `EngineError`. */
function refusing(engine) {
  const guarded = (ask) =>
    typeof ask !== 'function'
      ? ask
      : async (...args) => {
          try {
            return await ask(...args);
          } catch (error) {
            throw new EngineError(messageOf(error));
          }
        };
  return Object.fromEntries(Object.entries(engine).map(([name, ask]) => [name, guarded(ask)]));
}

/** It is a number of 32 bits in Postgres. */
const MOST_STALLED = 2 ** 31 - 1;

/** A lock holds its owner and a number that no other one has. */
function ownerIn(text) {
  return text === null ? null : text.slice(0, text.lastIndexOf(' '));
}

function messageOf(error) {
  return error.message || String(error.code ?? error);
}

/** An address may hold a name and a password. */
function withoutUser(url) {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
