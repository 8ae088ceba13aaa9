import * as z from 'zod/mini';
import { ChangeSet, IdleChange } from '../change-set.ts';

/** What the attempts of a task's series changed so far, and what you changed meanwhile. Paths as in a change set. */
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
  /** Paths that you changed since: while no agent and no gate ran, or during an attempt where none of its actions did. */
  yours: z.array(z.string()),
  /** Commits that agents made, in the order in which they were seen. */
  commits: z.array(z.string()),
});
export type Series = z.infer<typeof Series>;

/** What lies between the tree that a series began with and the one that its newest attempt left. */
export const SeriesChanges = z.object({ changes: ChangeSet, idleChanges: z.array(IdleChange) });
export type SeriesChanges = z.infer<typeof SeriesChanges>;

/** The work of a series that ended undone, out of the work tree. */
export const SetAside = z.object({
  /** Checkpoint of the work tree with it: `kept/N`. */
  checkpoint: z.string(),
  /** Trees without the work and with it. */
  base: z.string(),
  tree: z.string(),
  /** The paths that were taken back. */
  paths: z.array(z.string()),
  /** Paths that both of you changed: they stayed as they are. */
  both: z.array(z.string()),
  /** Of the patch from `base` to `tree`. */
  sha256: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;

/** The last tree that gates or a verified task vouch for. */
export const VerifiedTree = z.object({
  tree: z.string(),
  /** Paths that you changed since. */
  yours: z.array(z.string()),
});
export type VerifiedTree = z.infer<typeof VerifiedTree>;
