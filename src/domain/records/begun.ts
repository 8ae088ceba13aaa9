import * as z from 'zod/mini';
import { ChangeKind } from '../change-set.ts';

/** What attempts left of which nothing was judged. */
export const BegunBefore = z.object({
  /** `cut_off`: ralph was killed, or the machine; `stopped`: you stopped it; `outside`: a limit or an outage did. */
  how: z.enum(['cut_off', 'stopped', 'outside']),
  /** The attempts that ended so since the last one that didn't. */
  iterations: z.array(z.number()),
  /** Files that the task's attempts changed, as they lie in the copy; `change`: `null` where nothing looked. */
  files: z.array(
    z.object({
      path: z.string(),
      change: z.nullable(z.object({ kind: ChangeKind, added: z.number(), removed: z.number() })),
    }),
  ),
  /** Files that aren't named. */
  more: z.number(),
});
export type BegunBefore = z.infer<typeof BegunBefore>;
