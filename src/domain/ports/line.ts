import type { WorkBase } from './work.ts';

/** A verified result: the number of a task's, from 1. */
export type ResultId = { readonly taskId: string; readonly number: number };

/** Why a result isn't on your branch yet; `fix`: what you run or do about it. */
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
    /** Git or the disk failed; nothing of yours has changed. */
    | 'failed'
    /** You hold back a task on which the rest stands. */
    | 'held';
  /** The rest of a sentence: "waits: REASON". */
  readonly reason: string;
  /** Files that it waits for, relative to the top of the work tree. */
  readonly paths: readonly string[];
  /** Of `held`: the task that you hold back. */
  readonly heldBy?: string;
};

/** Where a result stands. */
export type ResultStatus =
  /** On your branch, or in your work tree with `commit = "never"`. */
  | { readonly kind: 'landed'; readonly commit: string }
  /** On ralph's line alone: new work starts from it. */
  | { readonly kind: 'open' }
  /** You took it back. */
  | { readonly kind: 'withdrawn' }
  /** It can't be replayed on what you committed; its task is done anew. */
  | {
      readonly kind: 'conflicting';
      readonly paths: readonly string[];
      /** A task that it relies on and of which nothing is on the line: it waits for that; `null`: it can't be replayed itself. */
      readonly needs: string | null;
    }
  /** A newer result of its task stands in its place, or it was red on your branch. */
  | { readonly kind: 'superseded' };

export type KnownResult = ResultId & {
  /** The commit that holds it, on the line that it was made on. */
  readonly commit: string;
  readonly status: ResultStatus;
};

/** What is verified: your branch, and behind it each result that hasn't landed. */
export type LineNow = {
  /** What new work starts from; equal to `tip` where nothing waits. */
  readonly commit: string;
  readonly tree: string;
  /** The branch's own last commit. */
  readonly tip: string;
  /** Short name of the branch that results land on; `null`: HEAD is detached. */
  readonly branch: string | null;
  /** Whether that is what is checked out. */
  readonly isHere: boolean;
  /** All results, oldest first. */
  readonly results: readonly KnownResult[];
};

/** What became of a landing. */
export type Landed = {
  /** Those that landed now, in order, each with its commit on the branch. */
  readonly landed: readonly (ResultId & { readonly commit: string; readonly paths: readonly string[] })[];
  /** Why the rest waits; `null`: nothing does. */
  readonly waiting: LandingWaits | null;
  /** Those that were red on what you committed and went back to their tasks. */
  readonly back: readonly ResultId[];
  /** Those that can't be replayed on what you committed: their tasks are done anew. */
  readonly conflicting: readonly (ResultId & { readonly paths: readonly string[] })[];
  /** Those that you took out since the last landing. */
  readonly withdrawn: readonly ResultId[];
};

/** A result that is to be kept. */
export type NewResult = {
  readonly taskId: string;
  /** The line's commit that it was made on. */
  readonly parent: string;
  /** All of it, without marks of the task list. */
  readonly tree: string;
  /** Its subject and body; the trailers come behind. */
  readonly message: string;
  /** Tasks that its own depends on. */
  readonly needs: readonly string[];
  /** Why commit hooks refused it; `null`: they didn't. */
  readonly held: string | null;
};

/** A result that commit hooks refused, on the tip. */
export type Refused = Pick<NewResult, 'tree' | 'message'> & { readonly base: WorkBase };

/** Work on a commit of the line, together with all that is on the line by now. */
export type Joined = {
  readonly now: LineNow;
  /** `null`: they conflict. */
  readonly tree: string | null;
  /** Where they conflict: files that both change. */
  readonly paths: readonly string[];
  /** Tasks whose results came onto the line since; where they conflict, those alone that changed such a file. */
  readonly taskIds: readonly string[];
  /** Lock files that both changed, and the tasks that did so; `tree` has them as the line does, and they have to be made anew. */
  readonly locks: readonly { readonly path: string; readonly taskIds: readonly string[] }[];
};

/** A commit of the line, and the tree before it. */
export type LineCommit = {
  readonly commit: string;
  readonly tree: string;
  readonly before: string;
  /** The result that it is; `null`: none of ralph's. */
  readonly result: ResultId | null;
};

/** What became of taking back results; where it waits, nothing was changed. */
export type Reverted =
  | {
      readonly kind: 'reverted';
      /** Each with the commit that reverts it; `null`: it hadn't landed. */
      readonly results: readonly (ResultId & { readonly commit: string | null })[];
      readonly paths: readonly string[];
    }
  | { readonly kind: 'waits'; readonly waiting: LandingWaits };

/** Ralph's line of a repository. Only what it does writes your checkout. */
export interface Line {
  /** Ends or takes back a landing that was cut off, then computes the line anew. `null`: there is no commit yet. @throws GitError */
  look(): Promise<LineNow | null>;
  /** What work is on the line as it is now. `null`: there is no commit yet. @throws GitError */
  join(work: Pick<NewResult, 'parent' | 'tree'>): Promise<Joined | null>;
  /** Makes a result ready, before the verdict on it is on record. It isn't on the line until it is kept. @throws GitError */
  prepare(result: NewResult): Promise<ResultId>;
  /** Puts on the line what was made ready and is verified; an open result of the same task is superseded by it. @throws GitError */
  keep(result: ResultId): Promise<void>;
  /** Keeps what a process that was killed had made ready, of tasks whose verdict is on record; the rest is dropped. @throws GitError */
  keepPrepared(isVerified: (taskId: string) => boolean): Promise<void>;
  /**
   * Brings to your branch (with `commit = "never"`, into your work tree) what is open on the line, as far as nothing of yours is in
   * the way.
   *
   * @param isGreen Whether the tree of a commit passes the gates that decide; asked for what would land, and others where that doesn't.
   * @param isHeld Whether you hold a task back; what stands on its result waits, too.
   * @param refusal Why your commit hooks still refuse a result that they refused, `null` where they don't; absent: it waits.
   * @throws GitError
   */
  land(
    isGreen: (tree: string, commit: string) => Promise<boolean>,
    isHeld?: (taskId: string) => boolean,
    refusal?: (result: Refused) => Promise<string | null>,
  ): Promise<Landed>;
  /**
   * Takes back the results of tasks: by a commit that reverts it what landed, newest first; the rest is withdrawn.
   *
   * @param number Of the one result that is meant; absent: all of them.
   * @throws GitError
   */
  revert(taskIds: readonly string[], number?: number): Promise<Reverted>;
  /** What came onto the line since one of its commits, newest first; `null`: its newest commits. @throws GitError */
  since(commit: string | null): Promise<readonly LineCommit[]>;
  /**
   * Results land on a branch of this short name from now on, which begins where they landed until now; the checkout is left alone.
   * False: that is no name for a branch.
   */
  onto(branch: string): Promise<boolean>;
  /** What a result changes, as two trees: without it and with it. `null`: nothing is known of it. @throws GitError */
  changeOf(result: ResultId): Promise<{ readonly base: string; readonly tree: string } | null>;
  /** The newest result of a task that was withdrawn, superseded or held is open from now on. False: there is none. */
  reopen(taskId: string): Promise<boolean>;
}

/** A log that grows by lines. Each is with the system when `append` returns, so that it stays when this process is killed. */
export interface LineLog {
  /** @throws StoreError where it can't be written. */
  append(line: string): void;
  /** Lines so far, and the SHA-256 of its bytes. */
  written(): { readonly lines: number; readonly sha256: string };
  /** Ends it; where it was taken away meanwhile, it is back afterwards. @throws StoreError where that can't be done. */
  close(): void;
}
