import * as z from 'zod/mini';
import { ChangeKind } from '../change-set.ts';

/** Work that the task's attempts left without a verdict. */
export const UnjudgedWork = z.object({
  /**
   * `cut_off`: ralph or the machine was killed; `stopped`: you stopped the run; `outside`: a limit or an outage ended
   * the attempt.
   */
  how: z.enum(['cut_off', 'stopped', 'outside']),
  /** Numbers of the newest iterations that all ended this way. */
  iterations: z.array(z.number()),
  /** Files in the copy that the task's attempts changed. `change`: `null` if the files weren't compared. */
  files: z.array(
    z.object({
      path: z.string(),
      change: z.nullable(z.object({ kind: ChangeKind, added: z.number(), removed: z.number() })),
    }),
  ),
  more: z.number(),
});
export type UnjudgedWork = z.infer<typeof UnjudgedWork>;
