import type { NewTask, Task, TrackedStatus } from '../domain/task.ts';

/**
 * A form in which tracker files are written: how such a file is found, recognised, read and changed. Each has a file of
 * its own in `formats/` and an entry in `formats.ts`.
 */
export type FileFormat = {
  readonly kept: 'file';
  /** File names looked for in `.ralph/`, then in the repository; one that begins with `./`, in the repository alone. */
  readonly names: readonly string[];
  /** More such names, which come after the `names` of every format. */
  readonly laterNames: readonly string[];
  /**
   * Where other tools keep such lists, `*` for any name; looked for after all names, in the repository alone. What isn't a list is passed
   * over, and one with something to do comes first.
   */
  readonly elsewhere?: readonly string[];
  /** Whether a file of this name has this form, whatever is in it. */
  readonly ownsPath: (path: string) => boolean;
  /** Whether a text has this form, where the file's name doesn't say. */
  readonly ownsText: (text: string) => boolean;
  /** The reader itself, or what loads it where its library takes longer to load than a short command to run. */
  readonly reader: TrackerReader | { readonly load: () => Promise<TrackerReader> };
};

/** Tasks that a service keeps; `src/app` has the port to it. */
export type ServiceFormat = { readonly kept: 'service' };

/** Reads a text of one form; `path` serves messages, `tag` names one of several lists in it. Never throws. */
export type TrackerReader = (text: string, path: string, tag?: string) => ReadResult;

export type ReadResult =
  | { readonly ok: true; readonly reading: Reading }
  | { readonly ok: false; readonly message: string };

/** What a reader finds in a text; `write` says how the text has to change for one status of one draft. */
export type Reading = {
  /** How the format is called on screen; Markdown has several names, such as `markdown-prd` and `markdown-plan`. */
  readonly format: string;
  readonly drafts: readonly Draft[];
  readonly problems: readonly ReadProblem[];
  /** The line of a draft, or of one of its fields; 1-based, `null` where it has none. */
  readonly lineOf: (index: number, field: keyof Task | null) => number | null;
  /** Whether the file can hold the status "blocked" itself. */
  readonly holdsBlocked: boolean;
  readonly write: (index: number, status: TrackedStatus) => Written;
  readonly edit: (edit: ListEdit) => Written;
};

/** Something to fix. `of`: the place of its draft; `file`: it may hide tasks; `null`: no task is lost by it. */
export type ReadProblem = {
  readonly line: number | null;
  readonly message: string;
  readonly of: number | 'file' | null;
};

/** A `TrackerEdit` with the place of its draft. */
export type ListEdit =
  | { readonly kind: 'add'; readonly task: NewTask }
  | { readonly kind: 'retitle'; readonly index: number; readonly title: string }
  | { readonly kind: 'remove'; readonly index: number };

/** A task as its file has it: `task.id` is still empty, and `task.dependsOn` holds the references as written. */
export type Draft = { readonly explicitId: string | null; readonly task: Task };

export type Written =
  | { readonly kind: 'splices'; readonly splices: readonly Splice[] }
  /** The file has no way to hold this status. */
  | { readonly kind: 'not_held' }
  | { readonly kind: 'failed'; readonly message: string };

/** Replaces the characters `from` (inclusive) to `to` (exclusive) of the text; offsets in UTF-16 units. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string };

/** How the lines of a text end: as the first of them. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Applies splices that do not overlap; where one inserts at the start of a removed piece, the insertion stays. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text;
  const lastFirst = [...splices].sort((a, b) => b.from - a.from || b.to - a.to);
  for (const splice of lastFirst) {
    result = result.slice(0, splice.from) + splice.text + result.slice(splice.to);
  }
  return result;
}
