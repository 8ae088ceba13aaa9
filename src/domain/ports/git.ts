import type { RefMove } from 'ralph-kit/git';
import type { Snapshot } from '../change-set.ts';
import type { PushProblem } from '../push.ts';
import type { CleanCopy, Committed, CopyCommit, TreeCopy, TreeReader, Work } from './work.ts';

/**
 * An edit for a commit. It applies to HEAD's version of a file, so that other changes in your work tree stay
 * uncommitted.
 */
export type HeadEdit = {
  /** Path relative to the top of the work tree. */
  readonly path: string;
  /** Returns the edited text; `null`: the edit doesn't fit this text. */
  readonly edit: (text: string) => Promise<string | null>;
};

/**
 * Names under which trees are kept until you drop them. `kept`: work of tasks; `before-take`: your checkout before
 * `ralph take`; `saved`: work saved by a policy.
 */
export type KeptName = 'kept' | 'before-take' | 'saved';

/** A state of the work tree that ralph keeps in git and can restore. */
export type CheckpointEntry = {
  /** `RUN/N`: the tree before iteration N. `NAME/N`: a tree kept under a `KeptName`. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly tree: string;
  /** HEAD at that moment; `null`: there was no commit. */
  readonly head: string | null;
  /** Whether the checkpoint stays until you drop it. Other checkpoints are pruned. */
  readonly kept: boolean;
  /** What the checkpoint is for, in one line for the screen. */
  readonly note: string;
};

/** Result of writing files to the checkout. If your own changes are in the way, no file was changed. */
export type TreeBrought =
  | {
      readonly kind: 'brought';
      readonly paths: readonly string[];
      readonly submodules: readonly SubmoduleBrought[];
    }
  | { readonly kind: 'in_the_way'; readonly paths: readonly string[] };

/** A submodule that gets another commit. `needs`: the command that checks it out; `null`: it is checked out. */
export type SubmoduleBrought = {
  readonly path: string;
  readonly commit: string;
  readonly needs: string | null;
};

/** Commits of HEAD and of all refs by full name, without ralph's own refs. */
export type RefsNow = { readonly head: string | null; readonly refs: ReadonlyMap<string, string> };

export type HistoryQuery = {
  /** Path relative to the top of the work tree. */
  readonly path: string;
  /** The history begins after this commit; `null`: with the file's first commit. */
  readonly since: string | null;
};

/** Versions of a file in the history. A text is `null` where the file doesn't exist. */
export type FileHistory = {
  readonly head: string | null;
  /** Text in the commit after which the history begins. */
  readonly since: string | null;
  /** Commits that changed the file, oldest first. `parents` are the texts in the parent commits. */
  readonly versions: readonly {
    readonly commit: string;
    readonly author: string;
    readonly subject: string;
    /** Time of the commit, in milliseconds since 1970. */
    readonly at: number;
    readonly text: string;
    readonly parents: readonly string[];
  }[];
};

/** Checkpoints to keep: the newest `keep`, and all that are younger than `retentionMinutes`. */
export type CheckpointPolicy = { readonly keep: number; readonly retentionMinutes: number };

/** Destination of a branch's pushes, by git's settings at the start of the run. */
export type PushTarget = {
  readonly remote: string;
  /** Short name of the local branch. The remote branch has the same name. */
  readonly branch: string;
  /** The remote's addresses: as configured, and as git rewrites them. */
  readonly urls: readonly string[];
};

/** What ralph knows of a repository's pull request on its code host. */
export type PushedBranch = {
  /** Short name of the branch to merge into; `null`: the remote has no default branch. */
  readonly base: string | null;
  /** Commits that `base` lacks, newest first, at most a thousand. */
  readonly ahead: readonly string[];
};

/** Result of a push. `branch` is the name on the remote. */
export type PushOutcome = Pick<PushTarget, 'remote' | 'branch' | 'urls'> &
  (
    | (PushedBranch & {
        /** Whether the push sent something, or the remote already had the commit (`there`). */
        readonly kind: 'pushed' | 'there';
        readonly commit: string;
      })
    | ({ readonly kind: 'failed' } & PushProblem)
  );

/** What others changed in a repository. */
export type ChangedInGit = {
  /** What changed: `HEAD`, names of refs, or `the index`. */
  readonly git: readonly string[];
  /** The newest commits that HEAD gained, the newest first. */
  readonly commits: readonly { readonly commit: string; readonly author: string; readonly subject: string }[];
};

export interface Git extends TreeReader {
  /** Returns the current HEAD and all refs. */
  refs(): Promise<RefsNow>;
  /** Returns a function that names later changes by others to HEAD, branches, tags, stashes and the index. */
  watch(): Promise<() => Promise<ChangedInGit>>;
  /**
   * Returns the texts of a snapshot's files whose path is wanted, as far as they fit into `maxBytes`. A name that isn't
   * UTF-8 is in git's quoted form.
   */
  texts(
    tree: string,
    isWanted: (path: string) => boolean,
    maxBytes: number,
  ): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** Keeps a snapshot restorable under `refs/ralph/checkpoints/RUN/N`. Returns that ref with its commit. */
  checkpoint(run: string, number: number, snapshot: Snapshot): Promise<ReadonlyMap<string, string>>;
  /** Returns all checkpoints of the repository, newest first. */
  checkpoints(): Promise<readonly CheckpointEntry[]>;
  /**
   * Writes a tree's files to the checkout, where they differ from the snapshot. Nothing is committed or staged.
   *
   * @param now Snapshot of the current checkout.
   * @param onto Tree that the new tree is based on; absent: the snapshot. Submodules move only if they are at this
   * tree's commits.
   */
  bringTree(now: Snapshot, tree: string, onto?: string): Promise<TreeBrought>;
  /** Returns a new tree: `base`, but with each of `paths` as in `from`, or without it if `from` lacks it. */
  compose(parts: {
    readonly base: string;
    readonly from: string;
    readonly paths: readonly string[];
  }): Promise<string>;
  /** Returns the staged content as a tree. @throws GitError if the index has a conflict. */
  stagedTree(): Promise<string>;
  /** Returns the commits after `base` up to `head`, oldest first, with patches of at most `patchBytes` in all. */
  commitsBetween(base: string, head: string, patchBytes: number): Promise<readonly CopyCommit[]>;
  /** Appends a text to the note of a commit below `ref`, which may not exist yet. @throws GitError */
  appendNote(note: { readonly ref: string; readonly commit: string; readonly text: string }): Promise<void>;
  /**
   * Keeps a tree under the next free number of a name. Returns the id, `NAME/N`. `kept`: work of a task, which you get
   * by the task's id.
   */
  keep(tree: string, note: string, name?: KeptName): Promise<string>;
  /** Returns a patch between two trees for `git apply`, binary files included. */
  wholePatch(from: string, to: string): Promise<Buffer>;
  /** Returns the tree after applying a patch to `onto`; `null`: it doesn't apply cleanly. */
  applyToTree(onto: string, patch: Buffer): Promise<string | null>;
  /** Returns paths that `after` has and `before` lacks. A folder with only new files is one path. */
  madeBetween(before: string, after: string): Promise<readonly string[]>;
  /** Returns the trees that the repository doesn't have. */
  missingTrees(trees: readonly string[]): Promise<readonly string[]>;
  /** Deletes a checkpoint. False: there is none with that id. */
  dropCheckpoint(id: string): Promise<boolean>;
  /** Returns a unified diff between two trees, cut after whole lines to at most `limit` bytes. */
  patchBetween(from: string, to: string, limit: number): Promise<string>;
  /** Deletes the checkpoints that the policy doesn't keep. Returns their refs, each with `null`. */
  pruneCheckpoints(policy: CheckpointPolicy): Promise<ReadonlyMap<string, null>>;
  /** Returns paths whose content in the snapshot differs from HEAD. */
  dirtyPaths(snapshot: Snapshot): Promise<readonly string[]>;
  /**
   * Commits edits on top of a branch (`null`: the checked-out one) and nothing else. Returns the commit; `null`:
   * nothing to do, or git is busy there.
   */
  commitEdits(branch: string | null, edits: readonly HeadEdit[], message: string): Promise<string | null>;
  /**
   * Makes a copy of the work tree with a tree's content and all ignored files of the checkout.
   * @param committed Base and HEAD for git in the copy; absent: the repository's HEAD.
   * @throws GitError
   */
  copyTree(tree: string, committed?: Committed): Promise<TreeCopy>;
  /**
   * Makes a copy with only installed packages and `copy.keep` of the checkout's ignored files. All of its content is
   * committed there, so git shows no changes. @throws GitError
   */
  cleanCopy(copy: CleanCopy): Promise<TreeCopy>;
  /** Returns ignored paths of the checkout that clean copies don't get. A wholly ignored folder is one path. */
  notInstalled(): Promise<readonly string[]>;
  /** Returns the copy of a worker (numbered from 1), on the base that the last run left. */
  work(worker: number): Work;
  /**
   * Returns the free bytes where copies are made, and the size of the first worker's copy; `null`: there is no copy
   * yet.
   */
  room(): Promise<{ readonly free: number; readonly copy: number } | null>;
  /**
   * Removes all copies and their shared layer, and returns the path where they were. No program may be running in a
   * copy.
   */
  removeCopies(): Promise<string>;
  /** Saves knowledge about the work tree on disk, so that the next process takes its first snapshot faster. */
  close(): void;
  /** Returns where a branch (short name; `null`: the current one) is pushed to; `null`: nowhere. */
  pushTarget(branch: string | null): Promise<PushTarget | null>;
  /**
   * Returns whether the remote branch has commits that the local one lacks. False if the remote doesn't answer within
   * seconds.
   */
  isBehind(target: PushTarget): Promise<boolean>;
  /**
   * Pushes a branch without force, after your pre-push hook passed in the box.
   *
   * @param apart Prefix of the branch that is pushed instead of the remote's default branch, for a pull request;
   * `null`: the default branch itself is pushed.
   * @param moves Refs that move in the same push, all or none.
   * @returns `null`: there is no remote to push to.
   */
  push(branch: string | null, apart: string | null, moves?: readonly RefMove[]): Promise<PushOutcome | null>;
}
