import * as z from 'zod/mini';
import { KnownCheckpoint } from '../intervention.ts';
import { VerifiedTree } from './series.ts';

/** Where work is done: who does it, and the work tree it is done in. */
export const Workplace = z.object({
  /** From 1 on. */
  worker: z.number(),
  /** `main`, or the name of the linked worktree. */
  worktree: z.string(),
});
export type Workplace = z.infer<typeof Workplace>;

/** An attempt that was begun and has no end in the journal yet. */
export const OpenIteration = z.object({
  run: z.string(),
  iteration: z.number(),
  taskId: z.string(),
  agent: z.string(),
  mode: z.string(),
  startedAt: z.string(),
  timeoutSeconds: z.number(),
});
export type OpenIteration = z.infer<typeof OpenIteration>;

/** Why the work tree is put to another tree: `set_aside` and `take_up` are about the work of a task. */
export const RestorePurpose = z.enum(['rollback', 'set_aside', 'take_up']);
export type RestorePurpose = z.infer<typeof RestorePurpose>;

/** A restore of the work tree, as it is announced before the first file changes. */
export const OpenRollback = z.object({
  purpose: RestorePurpose,
  /** The checkpoint that is gone back to. */
  checkpoint: z.string(),
  tree: z.string(),
  /** The checkpoint that keeps what the work tree held; empty while nothing is touched yet. */
  kept: z.string(),
  /** Whose attempts it undoes; `null`: you asked for it. */
  taskId: z.nullable(z.string()),
});
export type OpenRollback = z.infer<typeof OpenRollback>;

/** What is known of one workplace; several may be at work at once. */
export const WorkplaceState = z.object({
  ...Workplace.shape,
  openIteration: z.nullable(OpenIteration),
  /** A rollback that was begun and has no end in the journal yet. */
  openRollback: z.nullable(OpenRollback),
  /** The tree that the last attempt or rollback left; `null` before the first one. */
  leftTree: z.nullable(z.string()),
  verified: z.nullable(VerifiedTree),
  /** Those that an automatic rollback may use: the newest `CHECKPOINTS_KEPT`, oldest first. */
  checkpoints: z.array(KnownCheckpoint),
});
export type WorkplaceState = z.infer<typeof WorkplaceState>;

/** What is known of a workplace before the first attempt there. */
export const NOTHING_DONE = {
  openIteration: null,
  openRollback: null,
  leftTree: null,
  verified: null,
  checkpoints: [],
};

export function isSameWorkplace(one: Workplace, other: Workplace): boolean {
  return one.worker === other.worker && one.worktree === other.worktree;
}
