import type { Clock } from '../../domain/ports.ts';
import { sendJson } from './sender.ts';
import type { Target } from './settings.ts';

/** The wait after a failure; it doubles with each. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** What is waiting to be sent to one target. */
export type Outbox = {
  /** The next document; `null`: nothing waits. The same until one of the following is called. */
  readonly next: () => unknown;
  /** The document of `next` is done with, one way or the other. */
  readonly done: () => void;
};

export type Exporter = {
  /** Sends what waits, where nothing is being sent and no wait after a failure is on. */
  readonly wake: () => void;
  /** Sends what waits, without a wait after failures. Resolves when nothing waits or one more try has failed. */
  readonly drain: () => Promise<void>;
  /** Ends a request that is on its way. */
  readonly abort: () => void;
};

/**
 * Sends one document after the other. A failed one stays, and is tried again when it is woken after the wait: there
 * is no timer, so nothing keeps the process alive between two iterations.
 *
 * @param onProblem what is reported to the user; the first of its kind alone counts.
 */
export function exporter(
  target: Target,
  outbox: Outbox,
  clock: Clock,
  onProblem: (message: string) => void,
): Exporter {
  let sending: Promise<void> | null = null;
  let failures = 0;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  let stop = new AbortController();

  async function sendAll(): Promise<void> {
    for (let document = outbox.next(); document !== null; document = outbox.next()) {
      const sent = await sendJson(target, document, clock, stop.signal);
      if (sent.kind === 'again') {
        const wait = sent.afterMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
        failures += 1;
        notBeforeMs = clock.monotonicMs() + wait;
        onProblem(sent.why);
        return;
      }
      failures = 0;
      if (sent.kind === 'refused') onProblem(sent.why);
      outbox.done();
    }
  }

  function start(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }

  return {
    wake: () => {
      if (clock.monotonicMs() >= notBeforeMs) void start();
    },
    drain: async () => {
      // What is on its way may have begun before the last document came.
      await sending;
      await start();
    },
    abort: () => {
      stop.abort();
      stop = new AbortController();
    },
  };
}
