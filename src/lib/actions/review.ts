import * as z from 'zod/mini';

/**
 * The reviewer's decision on an action (spec README, Words). `rule` is a stable name; `reason` is for the agent and for
 * you: what was noticed and what to do instead.
 */
export type Ruling =
  | { readonly decision: 'allow' }
  | { readonly decision: 'warn'; readonly rule: string; readonly reason: string }
  | {
      readonly decision: 'modify';
      readonly rule: string;
      readonly reason: string;
      /** What happens in place of the action, in words. */
      readonly alternative: string;
      /** The tool's parameters in place of the agent's. */
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly decision: 'deny';
      readonly rule: string;
      readonly reason: string;
      /** Nothing of yours could have been lost: it is denied for caution, and counts for nothing. */
      readonly harmless?: true;
    };

/** What the actions of an attempt made outside of the repository, or told git. Paths are absolute and real. */
export type Made = {
  readonly paths: readonly string[];
  /** Names that are made up when a command runs, as `mktemp` does; `before`: what was called so by then. */
  readonly names: readonly {
    readonly folder: string;
    readonly prefix: string;
    readonly before: readonly string[];
  }[];
  /** What git got to know: names of other repositories, and whether keys were put under it. */
  readonly git: { readonly remotes: readonly string[]; readonly keys: boolean };
};

export const NOTHING_MADE: Made = { paths: [], names: [], git: { remotes: [], keys: false } };

/** What git was told in a run's attempts so far: a later one may send on what an earlier one put under git. */
export type TrustedGit = { git: Made['git'] };

/** Where an action happens, as far as a ruling depends on it. Paths are absolute and real (no links in them). */
export type ReviewPlace = {
  /** Top of the work tree. */
  readonly root: string;
  /** Your home folder; `null` where there is none. */
  readonly home: string | null;
  /** Nothing below these is written or deleted, wherever they lie. */
  readonly protectedFolders: readonly string[];
  /** Whether what the agent types into a program that it left open can't be reviewed. */
  readonly unseenInput: boolean;
  /** Command lines of the gates, where you restricted the agent to looking, editing and these; `null`: you didn't. */
  readonly restricted: readonly string[] | null;
  /** Follows links: of a path that does not exist, its deepest folder that does. Never throws. */
  readonly realPath: (path: string) => string;
  /** The agent's `$TMPDIR`; `own`: it was empty when the attempt began, and no other program uses it. */
  readonly tmpdir: { readonly path: string; readonly own: boolean };
  /** Whether there was something at a path when the attempt began, be it a link that leads nowhere. Never throws. */
  readonly existed: (path: string) => boolean;
  /** Names in a folder; none where it can't be read. Never throws. */
  readonly entries: (folder: string) => readonly string[];
  readonly made: Made;
  /**
   * The text of a file that was written since the attempt began, up to one character more than `LONGEST_SCRIPT`;
   * `null`: there is none, or it is as it was. Never throws.
   */
  readonly writtenText: (path: string) => string | null;
};

/** A longer script isn't read to its end; in characters. */
export const LONGEST_SCRIPT = 131_072;

/** The place of a run's attempts, without what belongs to one of them. */
export type RunPlace = Omit<ReviewPlace, 'unseenInput' | 'made' | 'existed' | 'writtenText'> & {
  /** When what is at a path was made, in milliseconds since 1970; `null`: there is nothing. Never throws. */
  readonly bornAt: (path: string) => number | null;
  /** `ReviewPlace.writtenText`, for what was written since then, in milliseconds since 1970. */
  readonly textSince: (path: string, since: number) => string | null;
};

/** What an attempt made outside of the repository and left there; in milliseconds since 1970. */
export const LeftBehind = z.object({ path: z.string(), bornAt: z.number() });
export type LeftBehind = z.infer<typeof LeftBehind>;

/** A rule of yours that failed while it judged an action. */
export type FailedRule = { readonly rule: string; readonly error: string };
