import * as z from 'zod/mini';

/** Changes by an attempt's actions outside the repository or to git's settings. Absolute real paths. */
export type OwnFiles = {
  readonly paths: readonly string[];
  /** Names chosen at run time, as by `mktemp`; `existing`: entries at the start with this prefix. */
  readonly names: readonly {
    readonly folder: string;
    readonly prefix: string;
    readonly existing: readonly string[];
  }[];
  /** Remotes added, and whether git was given keys. */
  readonly git: { readonly remotes: readonly string[]; readonly keys: boolean };
};

export const NO_OWN_FILES: OwnFiles = { paths: [], names: [], git: { remotes: [], keys: false } };

/** Git changes of a run's attempts so far: a later attempt may push what an earlier one added. */
export type TrustedGit = { git: OwnFiles['git'] };

/** Facts about an action's place that rulings depend on. Absolute real paths. */
export type ReviewPlace = {
  readonly root: string;
  /** Your home folder; `null` without one. */
  readonly home: string | null;
  /** Folders in which nothing may be written or deleted, wherever they are. */
  readonly protectedFolders: readonly string[];
  /** Whether input typed into an open program can't be reviewed. */
  readonly unseenInput: boolean;
  /** Gate commands allowed when you restricted the agent to reading, editing and gates; `null`: unrestricted. */
  readonly restricted: readonly string[] | null;
  /** Follows links; for a missing path, its deepest existing folder. Never throws. */
  readonly realPath: (path: string) => string;
  /** The agent's `$TMPDIR`; `own`: it was empty at the start and no other program uses it. */
  readonly tmpdir: { readonly path: string; readonly own: boolean };
  /** Whether a path existed when the attempt began, even as a broken link. Never throws. */
  readonly existed: (path: string) => boolean;
  /** Returns a folder's names; empty when unreadable. Never throws. */
  readonly entries: (folder: string) => readonly string[];
  readonly ownFiles: OwnFiles;
  /** Returns text written since the attempt began, at most `LONGEST_SCRIPT` + 1 characters, or `null`. Never throws. */
  readonly writtenText: (path: string) => string | null;
};

/** Limit for reading a script, in characters. */
export const LONGEST_SCRIPT = 131_072;

/** Place of a run's attempts, without a single attempt's facts. */
export type RunPlace = Omit<ReviewPlace, 'unseenInput' | 'ownFiles' | 'existed' | 'writtenText'> & {
  /** Returns the creation time in milliseconds since 1970; `null` for a missing path. Never throws. */
  readonly bornAt: (path: string) => number | null;
  /** Returns the text of a file if it was written since a time (milliseconds since 1970); `null`: it wasn't, or is too long. */
  readonly textSince: (path: string, since: number) => string | null;
};

/** Path that an attempt left outside the repository, with its creation time in milliseconds since 1970. */
export const Leftover = z.object({ path: z.string(), bornAt: z.number() });
export type Leftover = z.infer<typeof Leftover>;

export type FailedRule = { readonly rule: string; readonly error: string };
