import * as z from 'zod/mini';
import { KnownCheckpoint } from '../intervention.ts';

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

/** A rollback of the copy. */
export const OpenRollback = z.object({
  /** The checkpoint that is gone back to. */
  checkpoint: z.string(),
  tree: z.string(),
  /** The checkpoint that keeps what the copy held; empty while nothing is touched yet. */
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
  /** Those that an automatic rollback may use: the newest `CHECKPOINTS_KEPT`, oldest first. */
  checkpoints: z.array(KnownCheckpoint),
});
export type WorkplaceState = z.infer<typeof WorkplaceState>;

/** What is known of a workplace before the first attempt there. */
export const NOTHING_DONE = {
  openIteration: null,
  openRollback: null,
  leftTree: null,
  checkpoints: [],
};

export function isSameWorkplace(one: Workplace, other: Workplace): boolean {
  return one.worker === other.worker && one.worktree === other.worktree;
}
