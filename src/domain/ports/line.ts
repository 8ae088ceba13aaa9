import type { WorkBase } from './work.ts';

/** A verified result. `number` counts the task's results, from 1. */
export type ResultId = { readonly taskId: string; readonly number: number };

export type LandingWaits = {
  readonly why:
    | 'your_change'
    | 'operation'
    | 'git_works'
    | 'no_branch'
    | 'elsewhere'
    | 'stash'
    | 'red'
    | 'signing'
    | 'uncommitted'
    | 'hook'
    /** Git or the disk failed; none of your files changed. */
    | 'failed'
    /** You hold back a task on which the waiting results depend. */
    | 'held';
  /** The end of the sentence "waits: REASON". */
  readonly reason: string;
  /** Files that block the landing, relative to the top of the work tree. */
  readonly paths: readonly string[];
  /** The task that you hold back, if `why` is `held`. */
  readonly heldBy?: string;
};

export type ResultStatus =
  /** The result is on your branch, or in your work tree with `commit = "never"`. */
  | { readonly kind: 'landed'; readonly commit: string }
  /** The result is only on ralph's line, where new work starts. */
  | { readonly kind: 'open' }
  | { readonly kind: 'withdrawn' }
  /** The result can't be replayed on your commits, so its task is done again. */
  | {
      readonly kind: 'conflicting';
      readonly paths: readonly string[];
      /** A needed task with nothing on the line, for which the result waits; `null`: the result itself conflicts. */
      readonly needs: string | null;
    }
  /** A newer result of the task replaced this one, or this one was red on your branch. */
  | { readonly kind: 'superseded' };

export type KnownResult = ResultId & {
  readonly commit: string;
  readonly status: ResultStatus;
};

/** Verified state: your branch, followed by each result that hasn't landed. */
export type LineNow = {
  /** Commit that new work starts from; equal to `tip` if no result waits. */
  readonly commit: string;
  readonly tree: string;
  /** The branch's own last commit. */
  readonly tip: string;
  /** Short name of the branch that results land on; `null`: HEAD is detached. */
  readonly branch: string | null;
  /** Whether that branch is checked out. */
  readonly isHere: boolean;
  readonly results: readonly KnownResult[];
};

export type Landed = {
  /** Results that landed now, in order, each with its commit on the branch. */
  readonly landed: readonly (ResultId & { readonly commit: string; readonly paths: readonly string[] })[];
  /** Why the results that didn't land wait; `null`: all landed. */
  readonly waiting: LandingWaits | null;
  /** Results that were red on your commits and went back to their tasks. */
  readonly back: readonly ResultId[];
  readonly conflicting: readonly (ResultId & { readonly paths: readonly string[] })[];
  readonly withdrawn: readonly ResultId[];
};

export type NewResult = {
  readonly taskId: string;
  /** The line's commit that the result was made on. */
  readonly parent: string;
  /** The whole tree, without marks of the task list. */
  readonly tree: string;
  /** Subject and body of the commit message; trailers are added to them. */
  readonly message: string;
  readonly needs: readonly string[];
  /** Why commit hooks refused the result; `null`: they didn't. */
  readonly held: string | null;
};

/** A result that commit hooks refused, applied to the tip. */
export type Refused = Pick<NewResult, 'tree' | 'message'> & { readonly base: WorkBase };

/** Work on an earlier commit of the line, merged with the line as it is now. */
export type Joined = {
  readonly now: LineNow;
  /** Tree with both the work and the line's results; `null`: they conflict. */
  readonly tree: string | null;
  readonly paths: readonly string[];
  /** Tasks whose results joined the line since; in a conflict, only those that changed a conflicting file. */
  readonly taskIds: readonly string[];
  /** Lock files changed on both sides, with their tasks; `tree` has the line's version, to be generated again. */
  readonly locks: readonly { readonly path: string; readonly taskIds: readonly string[] }[];
};

export type LineCommit = {
  readonly commit: string;
  readonly tree: string;
  readonly before: string;
  /** The commit's result; `null`: the commit isn't ralph's. */
  readonly result: ResultId | null;
};

/** The outcome of reverting results; nothing was changed if it waits. */
export type Reverted =
  | {
      readonly kind: 'reverted';
      /** Each result with the commit that reverts it; `null`: the result hadn't landed. */
      readonly results: readonly (ResultId & { readonly commit: string | null })[];
      readonly paths: readonly string[];
    }
  | { readonly kind: 'waits'; readonly waiting: LandingWaits };

/** Ralph's line of verified results. Only these methods change your checkout. */
export interface Line {
  /** Finishes or undoes an interrupted landing, then computes the line. `null`: no commit yet. @throws GitError */
  look(): Promise<LineNow | null>;
  /** Merges work with the line as it is now. `null`: no commit yet. @throws GitError */
  join(work: Pick<NewResult, 'parent' | 'tree'>): Promise<Joined | null>;
  /** Prepares a result before its verdict is on record. Only `keep` puts it on the line. @throws GitError */
  prepare(result: NewResult): Promise<ResultId>;
  /** Puts a prepared, verified result on the line; it supersedes an open result of the task. @throws GitError */
  keep(result: ResultId): Promise<void>;
  /** Keeps what a killed process had prepared for tasks with a verdict on record, drops the others. @throws GitError */
  keepPrepared(isVerified: (taskId: string) => boolean): Promise<void>;
  /**
   * Lands open results on your branch, or in your work tree with `commit = "never"`, as far as your changes allow.
   * @param isGreen Whether a commit's tree passes the deciding gates; also called for other trees if the first fails.
   * @param isHeld Whether you hold a task back; results that depend on it wait, too.
   * @param refusal Why your commit hooks still refuse a result, `null` if they don't; absent: the result waits.
   * @throws GitError
   */
  land(
    isGreen: (tree: string, commit: string) => Promise<boolean>,
    isHeld?: (taskId: string) => boolean,
    refusal?: (result: Refused) => Promise<string | null>,
  ): Promise<Landed>;
  /**
   * Reverts landed results of tasks by a commit each, newest first, and withdraws the others.
   * @param number Number of one result; absent: all results.
   * @throws GitError
   */
  revert(taskIds: readonly string[], number?: number): Promise<Reverted>;
  /** Returns the commits after one on the line, newest first; `null`: its newest commits. @throws GitError */
  since(commit: string | null): Promise<readonly LineCommit[]>;
  /** Lands results on this branch from now on, starting at the old target. False: the name is invalid. */
  onto(branch: string): Promise<boolean>;
  /** Returns the trees without and with a result. `null`: the result is unknown. @throws GitError */
  changeOf(result: ResultId): Promise<{ readonly base: string; readonly tree: string } | null>;
  /** Opens the newest result of a task that was withdrawn, superseded or held. False: there is none. */
  reopen(taskId: string): Promise<boolean>;
}

/** A log of lines. The system has each line when `append` returns, so a killed process loses none. */
export interface LineLog {
  /** Writes a line at the end of the log. @throws StoreError if the log can't be written. */
  append(line: string): void;
  /** Returns the number of lines so far, and the SHA-256 of all bytes. */
  written(): { readonly lines: number; readonly sha256: string };
  /** Closes the log, and restores a file that was removed meanwhile. @throws StoreError if that fails. */
  close(): void;
}
