import * as z from 'zod/mini';
import { emptyOf } from '../empty-of.ts';

/** Requests that you make to a run from another terminal: `ralph stop`, `stop --now`, `pause`, `continue`. */
export const RunRequest = z.enum(['stop', 'stop_now', 'pause', 'continue']);
export type RunRequest = z.infer<typeof RunRequest>;

export const RunControl = z.object({
  /**
   * Requested stop; `null`: none. With `now`, a signal already ends the run, and the value only records the request.
   */
  stop: z.nullable(z.enum(['after_attempt', 'now'])),
  /** Start of the pause, ISO 8601 UTC; `null`: not paused. A running attempt continues in a pause. */
  pausedAt: z.nullable(z.string()),
  /** Numbers of workers that start no more tasks (`ralph workers stop`). */
  stoppedWorkers: z._default(z.array(z.number()), []),
});
export type RunControl = z.infer<typeof RunControl>;

const NOTHING_ASKED = emptyOf(RunControl);

/** Requests to one run. They name the run, so that a later run doesn't follow them. */
export const ControlledRun = z.object({ run: z.string(), ...RunControl.shape });
export type ControlledRun = z.infer<typeof ControlledRun>;

export function controlOf({ control }: { readonly control: ControlledRun | null }, run: string): RunControl {
  if (control?.run !== run) return NOTHING_ASKED;
  const { stop, pausedAt, stoppedWorkers } = control;
  return { stop, pausedAt, stoppedWorkers };
}

/** The task's position among the tasks of the run, such as the third of seven. */
export const PlaceInRun = z.object({ number: z.number(), of: z.number() });
export type PlaceInRun = Readonly<z.infer<typeof PlaceInRun>>;
