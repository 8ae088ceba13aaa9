import * as z from 'zod/mini';

/** What you asked of a run from another terminal: `ralph stop`, `ralph stop --now`, `ralph pause`, `ralph continue`. */
export const RunRequest = z.enum(['stop', 'stop_now', 'pause', 'continue']);
export type RunRequest = z.infer<typeof RunRequest>;

/** What is asked of a run as it is now. */
export const RunControl = z.object({
  /** `now`: by a signal, which ends the run; this only says whose it is. */
  stop: z.nullable(z.enum(['after_attempt', 'now'])),
  /** Since when; ISO 8601 UTC. The attempt in hand is finished all the same. */
  pausedAt: z.nullable(z.string()),
  /** Workers that start no task any more (`ralph workers stop`). */
  stoppedWorkers: z._default(z.array(z.number()), []),
});
export type RunControl = z.infer<typeof RunControl>;

const NOTHING_ASKED: RunControl = { stop: null, pausedAt: null, stoppedWorkers: [] };

/** The same, bound to its run: a request never reaches a later one. */
export const ControlledRun = z.object({ run: z.string(), ...RunControl.shape });
export type ControlledRun = z.infer<typeof ControlledRun>;

/** What is asked of this run. */
export function controlOf({ control }: { readonly control: ControlledRun | null }, run: string): RunControl {
  if (control?.run !== run) return NOTHING_ASKED;
  const { stop, pausedAt, stoppedWorkers } = control;
  return { stop, pausedAt, stoppedWorkers };
}

/** Which of the tasks that a run works on an attempt is for: the third of seven. */
export const PlaceInRun = z.object({ number: z.number(), of: z.number() });
export type PlaceInRun = Readonly<z.infer<typeof PlaceInRun>>;
