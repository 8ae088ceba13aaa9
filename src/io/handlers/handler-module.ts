import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../domain/ports.ts';
import { WORKER_SOURCE } from './worker-source.ts';

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
      error === undefined
        ? { kind: 'value', value }
        : { kind: 'failed', why: `failed with ${error.text}`, line: error.line },
    );
    waiting.delete(id);
  });
  worker.on('messageerror', () => gone(failed('gave something that cannot be read')));
  worker.on('error', (error: unknown) => gone(failed(`died: ${textOf(error)}`)));
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

function failed(why: string): Reply {
  return { kind: 'failed', why, line: null };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
