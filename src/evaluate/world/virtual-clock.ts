import type { Clock } from '../../domain/ports.ts';
import { systemClock } from '../../io/clock.ts';

/** Where virtual time begins: the same in every run. */
const BEGIN = Date.parse('2026-01-05T09:00:00.000Z');
/** Sleeps up to this poll for something; longer ones are limits and waits. */
const POLL_MS = 1000;

type Sleeper = { readonly due: number; readonly wake: () => void };

export type VirtualClock = Clock & {
  /** Lets time pass for something that takes so long; sleepers wake in their order, and all of ours continues between. */
  readonly work: (ms: number, until: AbortSignal) => Promise<void>;
  /** Whether an agent is at work: then its time alone ends a sleep, so that the same is seen at the same moment each time. */
  readonly agent: (isIn: boolean) => void;
};

/**
 * Time that passes only while an agent works, by as much as it announces. Everything else takes no time. A sleep that
 * no work ends takes as long as on the machine's clock and moves nothing.
 */
export function virtualClock(): VirtualClock {
  const real = systemClock();
  const sleepers = new Set<Sleeper>();
  let now = 0;

  /** Of those that are due at the same time the one that slept first. */
  const next = (until: number): Sleeper | undefined =>
    [...sleepers].filter(({ due }) => due <= until).toSorted((one, other) => one.due - other.due)[0];

  let isAgentIn = false;
  let working: { readonly end: number } | null = null;

  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (ms <= 0) return turn();
    const done = new AbortController();
    const stop = () => done.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) return;
    // Nothing is written while an agent works: one poll at the end of it sees the same as many.
    const due = working !== null && ms <= POLL_MS ? Math.max(now + ms, working.end) : now + ms;
    const sleeper = { due, wake: stop };
    sleepers.add(sleeper);
    if (isAgentIn) await aborted(done.signal);
    else await real.sleep(ms, done.signal);
    sleepers.delete(sleeper);
    signal?.removeEventListener('abort', stop);
  };

  return {
    now: () => new Date(BEGIN + Math.round(now)).toISOString(),
    monotonicMs: () => now,
    processorMs: () => now,
    sleep,
    agent: (isIn) => {
      isAgentIn = isIn;
    },
    work: async (ms, until) => {
      const end = now + ms;
      working = { end };
      try {
        for (let sleeper = next(end); sleeper !== undefined && !until.aborted; sleeper = next(end)) {
          sleepers.delete(sleeper);
          now = Math.max(now, sleeper.due);
          sleeper.wake();
          // Until whoever was woken has done what follows.
          for (let turns = 0; turns < 4; turns += 1) await turn();
        }
        if (!until.aborted) now = end;
      } finally {
        working = null;
      }
    },
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
