import * as z from 'zod/mini';
import { Task } from '../task.ts';

/** A file of yours that you changed while a run held it: it stays as you wrote it. */
export const EditedFile = z.object({
  /** `tracker`: the task list; `config`: settings and prompts. */
  kind: z.enum(['tracker', 'config']),
  /** Relative to the repository. */
  path: z.string(),
  change: z.enum(['modified', 'created']),
});
export type EditedFile = z.infer<typeof EditedFile>;

/** The same with what changed, as lines of a diff that begin with `+`, `-` or a space; empty: nothing that ralph reads. */
export const ShownEdit = z.object({ ...EditedFile.shape, iteration: z.number(), lines: z.array(z.string()) });
export type ShownEdit = z.infer<typeof ShownEdit>;

/** A task whose text you changed, or that you took out of the list, while an attempt ran. */
export const TaskEdit = z.object({
  iteration: z.number(),
  /** As it was: what counts until you accept the edit. */
  before: Task,
});
export type TaskEdit = z.infer<typeof TaskEdit>;

/** Settings by dotted key, each value as JSON. */
export const Settings = z.record(z.string(), z.string());
export type Settings = z.infer<typeof Settings>;

/** Edits that count once you accept them. */
export const PendingEdits = z.object({
  /** By the task's id. */
  tasks: z.record(z.string(), TaskEdit),
  /** The settings that protect, as they were before they were changed; `null`: they weren't. */
  settings: z.nullable(Settings),
});
export type PendingEdits = z.infer<typeof PendingEdits>;

export const NO_PENDING_EDITS: PendingEdits = { tasks: {}, settings: null };
