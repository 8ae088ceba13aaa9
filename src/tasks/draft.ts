import type { Task, TaskStatus, TrackerFormat, TrackerProblem } from '../domain/task.ts';

/** A task as its file has it: `task.id` is still empty and `task.dependsOn` holds what the person wrote. */
export type Draft = { readonly explicitId: string | null; readonly line: number | null; readonly task: Task };

/** Replaces the characters `from` (inclusive) to `to` (exclusive) of the text; offsets in UTF-16 units. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string };

export type Written =
  | { readonly kind: 'splices'; readonly splices: readonly Splice[] }
  /** The file has no way to say this status. */
  | { readonly kind: 'not_held' }
  | { readonly kind: 'failed'; readonly message: string };

/** What a reader makes of a text; `write` says how the text has to change for one status of one draft. */
export type Reading = {
  readonly format: TrackerFormat;
  readonly drafts: readonly Draft[];
  readonly problems: readonly TrackerProblem[];
  readonly holdsBlocked: boolean;
  readonly write: (index: number, status: TaskStatus) => Written;
};

export type ReadResult =
  | { readonly ok: true; readonly reading: Reading }
  | { readonly ok: false; readonly message: string };

/** Reads a text of one form; `path` serves messages. Never throws. */
export type TrackerReader = (text: string, path: string) => ReadResult;

/** Applies splices that do not overlap; where one inserts at the start of a removed piece, the insertion stays. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text;
  const lastFirst = [...splices].sort((a, b) => b.from - a.from || b.to - a.to);
  for (const splice of lastFirst) {
    result = result.slice(0, splice.from) + splice.text + result.slice(splice.to);
  }
  return result;
}
