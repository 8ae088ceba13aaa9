import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../domain/ports.ts';

/** A module that uses more is ended: it would take the loop with it. */
const MAX_HEAP_MB = 256;

export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The rest of a sentence that begins with the module's name. */
  | { readonly kind: 'failed'; readonly why: string; readonly line: number | null };

type Message = {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly text: string; readonly line: number | null };
};

export type HandlerModule = {
  /** Calls an exported function; `undefined` where the module has none of that name. Never throws. */
  readonly call: (name: string, input: unknown) => Promise<Reply>;
  readonly close: () => void;
};

/**
 * The user's ES module in a thread of its own, which is made with the first call, kept between calls and given up
 * with everything in it when one takes too long or the thread dies. It does not keep the process alive.
 *
 * @param path absolute.
 */
export function handlerModule(path: string, clock: Clock, timeoutMs: number): HandlerModule {
  let thread: Thread | null = null;
  let closed = false;

  async function call(name: string, input: unknown): Promise<Reply> {
    if (closed) return failed('was called after its end');
    if (thread === null || !thread.isAlive()) thread = startThread(path);
    const used = thread;
    const answered = new AbortController();
    void clock.sleep(timeoutMs, answered.signal).then(() => {
      if (answered.signal.aborted) return;
      used.end(failed(`gave no answer to ${name}() within ${timeoutMs / 1000} s and was ended`));
    });
    return used.ask(name, input).finally(() => answered.abort());
  }

  return {
    call,
    close: () => {
      closed = true;
      thread?.end(failed('was ended'));
    },
  };
}

type Thread = {
  readonly isAlive: () => boolean;
  readonly ask: (name: string, input: unknown) => Promise<Reply>;
  /** Ends it at once; calls that wait get that reply. */
  readonly end: (reply: Reply) => void;
};

function startThread(path: string): Thread {
  let alive = true;
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  const worker = new Worker(WORKER_SOURCE, {
    eval: true,
    workerData: pathToFileURL(path).href,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });

  function gone(reply: Reply): void {
    alive = false;
    for (const answer of waiting.values()) answer(reply);
    waiting.clear();
  }
  worker.on('message', ({ id, value, error }: Message) => {
    waiting.get(id)?.(
      error === undefined ? { kind: 'value', value } : failed(`failed with ${error.text}`, error.line),
    );
    waiting.delete(id);
  });
  worker.on('messageerror', () => gone(failed('gave something that cannot be read')));
  worker.on('error', (error: unknown) => gone(failed(`ended with ${textOf(error)}`)));
  worker.on('exit', (code) => gone(failed(`ended its own thread (process.exit, code ${code})`)));
  worker.unref();

  return {
    isAlive: () => alive,
    ask: (name, input) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        try {
          worker.postMessage({ id: lastId, name, input });
        } catch (error) {
          waiting.delete(lastId);
          resolve(failed(`could not be asked: ${textOf(error)}`));
        }
      }),
    end: (reply) => {
      gone(reply);
      // Not waited for: a thread that sits in a system call ends when that does.
      void worker.terminate();
    },
  };
}

function failed(why: string, line: number | null = null): Reply {
  return { kind: 'failed', why, line };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * What runs in the thread of the user's module: text, because a bundle has no file of its own for it. It loads the
 * module with the first call and answers each call by its number. Errors go back as text: an error object may hold
 * what cannot be copied. What the module prints is thrown away here: it must not get into ralph's own output.
 */
const WORKER_SOURCE = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
for (const stream of [process.stdout, process.stderr]) stream._writev = (_chunks, done) => done();
let loaded;

function functionOf(module, name) {
  for (const place of [module, module.default]) {
    if (place !== null && typeof place === 'object' && typeof place[name] === 'function') {
      return place[name].bind(place);
    }
  }
  return null;
}

function described(error) {
  try {
    const text = error instanceof Error ? error.name + ': ' + error.message : String(error);
    const at = /^:(\\d+)(?::\\d+)?/.exec(String(error && error.stack).split(workerData)[1] || '');
    return { text, line: at === null ? null : Number(at[1]) };
  } catch {
    return { text: 'something that cannot be shown', line: null };
  }
}

parentPort.on('message', async ({ id, name, input }) => {
  let reply;
  try {
    loaded ??= import(workerData);
    const call = functionOf(await loaded, name);
    reply = { id, value: call === null ? undefined : await call(input) };
  } catch (error) {
    reply = { id, error: described(error) };
  }
  try {
    parentPort.postMessage(reply);
  } catch (error) {
    parentPort.postMessage({ id, error: described(error) });
  }
});
`;
