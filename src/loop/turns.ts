/** A place among the gates; left where agents or people are waited for. */
export type Turn = {
  /** Gives it to the next one. Again: nothing. */
  readonly leave: () => void;
  /** Waits for it again, where it was left. */
  readonly back: () => Promise<void>;
};

type Wanted = {
  readonly taskId: string;
  /** 1 is the most urgent; `null`: after all others. You may change it while it waits. */
  readonly priority: () => number | null;
  /** What is tested is what would land: of these one at a time, so that each is tested on what landed before it. */
  readonly lands: boolean;
};

/** The merge queue of a run, and the places of its gates. */
export type Turns = {
  /** `stop`: it isn't waited for any longer. */
  readonly enter: (wanted: Wanted, stop: AbortSignal) => Promise<Turn>;
  /** Does one thing after the other that writes your checkout or its index: git refuses two at once. */
  readonly alone: <R>(work: () => Promise<R>) => Promise<R>;
  /** Does one push after the other, without holding up the landings. */
  readonly pushing: <R>(work: () => Promise<R>) => Promise<R>;
  /** Those that wait for a place, in the order in which they get one. */
  readonly waiting: () => readonly Wanted[];
};

/**
 * Gives places to those who want to run gates. Results that would land come first, or more workers are slower than one
 * (docs/adr/0069); among equals the most urgent task, then the one that came first.
 *
 * @param places How many may run gates at once.
 */
export function openTurns(places: number): Turns {
  type Waiting = Wanted & { readonly number: number; readonly start: () => void };
  let waiting: Waiting[] = [];
  const [taken, entered] = [new Set<Wanted>(), { count: 0 }];

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

  async function take(wanted: Wanted, stop: AbortSignal): Promise<Wanted | null> {
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
        back: async () => {
          held ??= await take(wanted, NEVER);
        },
      };
    },
    alone: oneByOne(),
    pushing: oneByOne(),
    waiting: () => waiting.toSorted(byUrgency).map(({ number: _, start: __, ...wanted }) => wanted),
  };
}

function oneByOne(): Turns['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** What is verified is landed, whatever you stop. */
const NEVER = new AbortController().signal;

type Place = Wanted & { readonly number: number };

function byUrgency(one: Place, other: Place): number {
  const urgency = ({ priority }: Wanted) => priority() ?? Number.MAX_SAFE_INTEGER;
  return (
    Number(other.lands) - Number(one.lands) || urgency(one) - urgency(other) || one.number - other.number
  );
}
