import { oneByOne } from 'ralph-kit/one-by-one';

/** The right of a worker to run its gates. It is given up while the work waits for agents or for you. */
export type Turn = {
  /** Gives the turn to the next worker. A second call does nothing. */
  readonly leave: () => void;
  readonly retake: () => Promise<void>;
};

type TurnRequest = {
  readonly taskId: string;
  /** Returns the priority, where 1 is the most urgent; `null`: after all others. It may change during the wait. */
  readonly priority: () => number | null;
  /**
   * Whether the work would land. Only one such turn is given at a time, so that each work is tested on top of what
   * landed before.
   */
  readonly lands: boolean;
};

export type Turns = {
  /** Waits for a turn. `stop` ends the wait without one. */
  readonly enter: (request: TurnRequest, stop: AbortSignal) => Promise<Turn>;
  /** Runs operations that write your checkout or its index one after the other, because git refuses two at once. */
  readonly exclusive: <R>(work: () => Promise<R>) => Promise<R>;
  /** Runs pushes one after the other, without delaying landings. */
  readonly pushing: <R>(work: () => Promise<R>) => Promise<R>;
  /** Returns the waiting requests, in the order of their turns. */
  readonly waiting: () => readonly TurnRequest[];
};

/**
 * Opens the queue for gates. Work that would land comes first, because otherwise several workers are slower than one
 * (docs/adr/0069); then priority and time of waiting decide.
 * @param places Number of workers that may run gates at once
 */
export function openTurns(places: number): Turns {
  type Waiting = TurnRequest & { readonly number: number; readonly start: () => void };
  let waiting: Waiting[] = [];
  const [taken, entered] = [new Set<TurnRequest>(), { count: 0 }];

  function give(): void {
    const ordered = waiting.toSorted(byUrgency);
    for (const one of ordered) {
      if (taken.size >= places) return;
      if (one.lands && [...taken].some(({ lands }) => lands)) continue;
      waiting = waiting.filter((other) => other !== one);
      taken.add(one);
      one.start();
    }
  }

  async function take(wanted: TurnRequest, stop: AbortSignal): Promise<TurnRequest | null> {
    if (stop.aborted) return null;
    entered.count += 1;
    const number = entered.count;
    return new Promise((resolve) => {
      const leave = () => {
        waiting = waiting.filter((other) => other !== one);
        resolve(null);
      };
      const start = () => {
        stop.removeEventListener('abort', leave);
        resolve(one);
      };
      const one: Waiting = { ...wanted, number, start };
      stop.addEventListener('abort', leave, { once: true });
      waiting.push(one);
      give();
    });
  }

  return {
    enter: async (wanted, stop) => {
      let held = await take(wanted, stop);
      return {
        leave: () => {
          if (held === null) return;
          taken.delete(held);
          held = null;
          give();
        },
        retake: async () => {
          held ??= await take(wanted, NEVER);
        },
      };
    },
    exclusive: oneByOne(),
    pushing: oneByOne(),
    waiting: () => waiting.toSorted(byUrgency).map(({ number: _, start: __, ...wanted }) => wanted),
  };
}

/** Verified work lands even after you stop the run, so this signal never fires. */
const NEVER = new AbortController().signal;

type Place = TurnRequest & { readonly number: number };

function byUrgency(one: Place, other: Place): number {
  const urgency = ({ priority }: TurnRequest) => priority() ?? Number.MAX_SAFE_INTEGER;
  return (
    Number(other.lands) - Number(one.lands) || urgency(one) - urgency(other) || one.number - other.number
  );
}
