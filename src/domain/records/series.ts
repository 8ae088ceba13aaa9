import * as z from 'zod/mini';
import { ChangeSet, IdleChange } from '../change-set.ts';

/** What the attempts of a task's series changed so far. Paths as in a change set. */
export const Series = z.object({
  worker: z.number(),
  worktree: z.string(),
  /** As it was before the first attempt of the series. */
  tree: z.string(),
  head: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  /** Paths that agents changed. */
  work: z.array(z.string()),
  /** Those of the newest attempts, as far as an outage, a limit, a crash or you ended them. They weren't searched for credentials. */
  unjudged: z.array(z.string()),
});
export type Series = z.infer<typeof Series>;

/** What lies between the tree that a series began with and the one that its newest attempt left. */
export const SeriesChanges = z.object({ changes: ChangeSet, idleChanges: z.array(IdleChange) });

/** The work of a series that ended undone. */
export const SetAside = z.object({
  /** Checkpoint of the copy with it: `kept/N`. */
  checkpoint: z.string(),
  /** Trees without the work and with it. */
  base: z.string(),
  tree: z.string(),
  paths: z.array(z.string()),
  /** Of the patch from `base` to `tree`. */
  sha256: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;
