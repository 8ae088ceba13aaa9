import type { GivenUp, NewTask, Task, TrackedStatus } from './task.ts';
import { BUILT_IN, type ConfiguredWords, type Words } from './words.ts';

/**
 * A format of task lists: how its files are found, recognised, read and edited. Each has a file in `formats/`, a line in
 * `formats.ts` and a folder of fixtures, with which it passes `conformance.test.ts`.
 */
export type TaskList = {
  readonly storage: 'file';
  /**
   * File names that are looked for in `.ralph/`, then in the repository. Names that begin with `./` are only looked for
   * in the repository.
   */
  readonly names: readonly string[];
  /** More file names, which are tried after the `names` of all formats. */
  readonly laterNames: readonly string[];
  /**
   * Places where other tools keep such lists, in the repository only; `*` means any name. They are tried last: files
   * that aren't lists are skipped, and lists with open tasks come first.
   */
  readonly elsewhere?: readonly string[];
  /** Returns whether a file with this name has this format, whatever it contains. */
  readonly ownsPath: (path: string) => boolean;
  /** Returns whether a text has this format, if the file's name doesn't decide. */
  readonly ownsText: (text: string) => boolean;
  /** The tool's own file with words for statuses; absent: the words are fixed. */
  readonly settings?: {
    /** Returns where that file may be, relative to the list's folder (or to the list, if it is a folder). */
    readonly paths: (list: string) => readonly string[];
    /** Returns a function that reads the words from the file's text; `null`: it has none. */
    readonly load: () => Promise<(text: string) => ConfiguredWords | null>;
  };
  /** The reader, or a function that loads it, because its library loads slower than a short command takes. */
  readonly reader: TrackerReader | { readonly load: () => Promise<TrackerReader> };
};

/** A tracker that is a service, which a file in `services/` opens. */
export type ServiceList = {
  readonly storage: 'service';
  /**
   * Program that asks the service, for the repository in which it is run; `null`: the list has an address, which is
   * asked.
   */
  readonly program: string | null;
};

/** Reads a text of one format. `path` is only for messages. Never throws. */
export type TrackerReader = (text: string, path: string, asked?: ReaderInput) => ReadResult;

/** Input of a reader beside the text. */
export type ReaderInput = {
  /** Tag of the list to read, if the text has several; empty: the format's default. */
  readonly tag: string;
  readonly words: Words;
  /** Names of programs, beside common ones: a `Check:` that begins with one is a command, even without backticks. */
  readonly programs: readonly string[];
};

/** The input of a reader that gets only a text. */
export const DEFAULT_INPUT: ReaderInput = { tag: '', words: BUILT_IN, programs: [] };

export type ReadResult =
  | { readonly ok: true; readonly reading: Reading }
  | { readonly ok: false; readonly message: string };

/** Result of reading a text. A draft is a task without its id. */
export type Reading = {
  /** Name of the format on screen. Markdown has several, such as `markdown-prd` and `markdown-plan`. */
  readonly format: string;
  /** Tasks in the order of the text. The same text gives the same drafts. */
  readonly drafts: readonly Draft[];
  /** Mistakes in the text. One that may hide tasks is of the `file`; no mistake makes the whole text unreadable. */
  readonly problems: readonly ReadProblem[];
  /** Returns the line of a draft or of one of its fields, from 1; `null`: there is none. */
  readonly lineOf: (index: number, field: keyof Task | null) => number | null;
  /** Returns what the list has besides the fields of its tasks. A conversion names it as lost. */
  readonly extras: () => ReadExtras;
  /** Whether the file can hold the status "blocked". */
  readonly holdsBlocked: boolean;
  /** Tasks that are given up; no draft stands for one of them. */
  readonly givenUp?: readonly GivenUp[];
  /** Whether tasks that depend on a given-up task start without it; otherwise they wait forever. */
  readonly givenUpFrees?: boolean;
  /**
   * Returns the splices after which this draft reads with this status, and every other draft as before. They change
   * nothing but the mark: fields of other tools, layout and line ends stay. `not_held`: the format has no mark for it.
   */
  readonly show: (index: number, status: TrackedStatus) => Written;
  /** Returns the splices of an edit, after which all other drafts read as before. */
  readonly edit: (edit: ListEdit) => Written;
};

/** A problem to fix. `of`: position of its draft; `file`: the problem may hide tasks; `null`: no task is affected. */
export type ReadProblem = {
  readonly line: number | null;
  readonly message: string;
  readonly of: number | 'file' | null;
};

/** What a list has besides its tasks, with positions of drafts instead of ids. */
export type ReadExtras = {
  readonly unread: readonly { readonly what: string; readonly of: readonly number[] }[];
  readonly words: ReadonlyMap<number, string>;
};

export const NO_EXTRAS: ReadExtras = { unread: [], words: new Map() };

/** A `TrackerEdit` with the position of its draft instead of its id. */
export type ListEdit =
  | { readonly kind: 'add'; readonly task: NewTask }
  | { readonly kind: 'retitle'; readonly index: number; readonly title: string }
  | { readonly kind: 'remove'; readonly index: number };

/** A task as in its file: `task.id` is still empty, and `task.dependsOn` has the references as written. */
export type Draft = {
  readonly explicitId: string | null;
  readonly task: Task;
  /** Texts of groups that are done with this task, their last part. Each becomes a criterion. */
  readonly closes?: readonly string[];
  /** Ids of the task's parts, on which it depends. */
  readonly parts?: readonly string[];
  /** Name of the file that has only this task; absent: the list is one file. */
  readonly file?: string;
  /** Creation time as in the list; `null` or absent: the list has none. */
  readonly created?: string | null;
};

export type Written =
  | { readonly kind: 'splices'; readonly splices: readonly Splice[] }
  /** The file can't hold this status. */
  | { readonly kind: 'not_held' }
  /** `command` of the list's own tool does it. */
  | { readonly kind: 'failed'; readonly message: string; readonly command?: string };

/** Replaces the characters from `from` (inclusive) to `to` (exclusive). Offsets are in UTF-16 units. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string };

/** Returns the line end that the first line of a text has. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Applies splices that don't overlap. An insertion at the start of a removed part is kept. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text;
  const lastFirst = [...splices].sort((a, b) => b.from - a.from || b.to - a.to);
  for (const splice of lastFirst) {
    result = result.slice(0, splice.from) + splice.text + result.slice(splice.to);
  }
  return result;
}
