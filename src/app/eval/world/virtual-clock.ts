import type { Clock } from '../../../domain/ports.ts';
import { systemClock } from '../../../io/clock.ts';

/** Virtual start, the same in every run. */
const BEGIN = Date.parse('2026-01-05T09:00:00.000Z');
/** Sleeps up to this length are polls; longer ones are limits and waits. */
const POLL_MS = 1000;

type Sleeper = { readonly due: number; readonly wake: () => void };

export type VirtualClock = Clock & {
  /** Advances the time; sleepers wake in order, and ralph's own work continues in between. */
  readonly work: (ms: number, until: AbortSignal) => Promise<void>;
  /** During an agent's work only its time ends sleeps, so that each is repeatable. */
  readonly agent: (isIn: boolean) => void;
};

/**
 * Time advances only with an agent's announced work. A sleep that no work ends takes real time and advances nothing.
 */
export function virtualClock(): VirtualClock {
  const real = systemClock();
  const sleepers = new Set<Sleeper>();
  let now = 0;

  /** The earliest sleeper comes first, among equals the one that slept first. */
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
    // An agent writes nothing while it works, so one poll at its end sees as much as many.
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
          // Woken code gets turns to do its next steps.
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
