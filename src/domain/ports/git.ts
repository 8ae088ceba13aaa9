import type { Snapshot } from '../change-set.ts';
import type { PushProblem } from '../push.ts';
import type { CleanCopy, Committed, CopyCommit, TreeCopy, TreeReader, Work } from './work.ts';

/** A git command that failed although nothing the caller did explains it; the message holds git's own words. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
}

/** A file of which a commit holds HEAD's version with an edit, and nothing else that the work tree has of it. */
export type HeadEdit = {
  /** Relative to the top of the work tree. */
  readonly path: string;
  /** `null`: it can't be made in this text. */
  readonly edit: (text: string) => Promise<string | null>;
};

/** Names under which trees are kept until you drop them: work of tasks, your checkout before `ralph take`, what a policy saved. */
export type KeptName = 'kept' | 'before-take' | 'saved';

/** A checkpoint as git keeps it. */
export type CheckpointEntry = {
  /** `RUN/N`: the tree before iteration N; `NAME/N`: what was kept under that name. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly tree: string;
  /** HEAD of that moment; `null` before the first commit. */
  readonly head: string | null;
  /** It is never pruned: you have to drop it. */
  readonly kept: boolean;
  /** One line for the screen: its content. */
  readonly note: string;
};

/** What became of bringing files to the checkout; where something is in the way, nothing was changed. */
export type TreeBrought =
  | {
      readonly kind: 'brought';
      readonly paths: readonly string[];
      readonly submodules: readonly SubmoduleBrought[];
    }
  | { readonly kind: 'in_the_way'; readonly paths: readonly string[] };

/** A submodule that gets another commit. `needs`: the command that brings the checkout to it; `null`: it is there. */
export type SubmoduleBrought = {
  readonly path: string;
  readonly commit: string;
  readonly needs: string | null;
};

/** Where the repository stands: commits, by the full names of the refs that hold them; without ralph's own refs. */
export type RefsNow = { readonly head: string | null; readonly refs: ReadonlyMap<string, string> };

export type HistoryQuery = {
  /** Relative to the top of the work tree. */
  readonly path: string;
  /** The history begins after this commit. */
  readonly since: string;
};

/** A file as commits hold it; `null`: they don't. */
export type FileHistory = {
  readonly head: string | null;
  /** As the commit holds it that the history begins after. */
  readonly since: string | null;
  /** Commits that changed it, oldest first, with what their parents hold. */
  readonly versions: readonly {
    readonly commit: string;
    readonly author: string;
    readonly text: string;
    readonly parents: readonly string[];
  }[];
};

/** Kept are the newest `keep`, and all that are younger than that many minutes. */
export type CheckpointPolicy = { readonly keep: number; readonly retentionMinutes: number };

/** Where a branch is pushed to, by the settings as they were when the run began. */
export type PushTarget = {
  readonly remote: string;
  /** Short name of the local branch; on the remote it has the same one. */
  readonly branch: string;
  /** The remote's addresses, as they are set and as git rewrites them. */
  readonly urls: readonly string[];
};

/** A ref that is moved on a remote; `from`: what it has to be (`null`: nothing), else nothing is moved. `to`: `null` deletes it. */
export type RefMove = { readonly ref: string; readonly from: string | null; readonly to: string | null };

/** What a pull request is about. */
export type PushedBranch = {
  /** Short name of the branch that it goes to; `null`: the remote has no default branch. */
  readonly base: string | null;
  /** Commits that the base doesn't have, the newest first, at most a thousand. */
  readonly ahead: readonly string[];
};

/** What became of a push; `branch`: as the remote has it. */
export type PushOutcome = Pick<PushTarget, 'remote' | 'branch' | 'urls'> &
  (
    | (PushedBranch & {
        /** `there`: the remote had it already. */
        readonly kind: 'pushed' | 'there';
        readonly commit: string;
      })
    | ({ readonly kind: 'failed' } & PushProblem)
  );

export interface Git extends TreeReader {
  /** HEAD and all refs as they are now. */
  refs(): Promise<RefsNow>;
  /** Names what changes from now on of HEAD, branches, tags, stashes and the index. */
  watch(): Promise<() => Promise<readonly string[]>>;
  /** Texts of a snapshot's files with these names, as far as they fit into `maxBytes`; names that aren't UTF-8 apart. */
  texts(
    tree: string,
    isWanted: (path: string) => boolean,
    maxBytes: number,
  ): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** Keeps a snapshot restorable under `refs/ralph/checkpoints/RUN/N`; that ref, with its commit. */
  checkpoint(run: string, number: number, snapshot: Snapshot): Promise<ReadonlyMap<string, string>>;
  /** All checkpoints of the repository, newest first. */
  checkpoints(): Promise<readonly CheckpointEntry[]>;
  /**
   * Makes the checkout's files what a tree holds, as far as that differs from a snapshot of now; nothing is committed or staged.
   *
   * @param onto What the tree was made of, absent: what is there now. Submodules move from the commits that they have in it.
   */
  bringTree(now: Snapshot, tree: string, onto?: string): Promise<TreeBrought>;
  /** A tree that holds what `base` does, except at `paths`: those are as in `from`, or aren't there. */
  compose(parts: {
    readonly base: string;
    readonly from: string;
    readonly paths: readonly string[];
  }): Promise<string>;
  /** What is staged, as a tree. @throws GitError where a conflict is in it. */
  stagedTree(): Promise<string>;
  /** Commits that lie between two, oldest first, with what each changes: so many bytes of that in all. */
  commitsBetween(base: string, head: string, patchBytes: number): Promise<readonly CopyCommit[]>;
  /** Adds a text to the note of a commit below `ref`, which may not exist yet; what it has stays. @throws GitError */
  appendNote(note: { readonly ref: string; readonly commit: string; readonly text: string }): Promise<void>;
  /** Keeps a tree under the next free number of a name; that id. `kept`: the work of a task, which you get by the task's name. */
  keep(tree: string, note: string, name?: KeptName): Promise<string>;
  /** What leads from one tree to another as a patch for `git apply`, whatever its bytes. */
  wholePatch(from: string, to: string): Promise<Buffer>;
  /** The tree that such a patch makes of `onto`; `null` where it doesn't apply cleanly. */
  applyToTree(onto: string, patch: Buffer): Promise<string | null>;
  /** What one tree has that an earlier one hadn't: files, and folders with all in them. */
  madeBetween(before: string, after: string): Promise<readonly string[]>;
  /** Those of these trees that the repository doesn't hold. */
  missingTrees(trees: readonly string[]): Promise<readonly string[]>;
  /** Forgets a checkpoint; false when there is none of that id. */
  dropCheckpoint(id: string): Promise<boolean>;
  /** Unified diff from one tree to another, at most `limit` bytes of whole lines. */
  patchBetween(from: string, to: string, limit: number): Promise<string>;
  /** Removes the checkpoints that neither the age nor the count of the policy keeps; their refs, with `null`. */
  pruneCheckpoints(policy: CheckpointPolicy): Promise<ReadonlyMap<string, null>>;
  /** Paths whose content differs from HEAD in this snapshot. */
  dirtyPaths(snapshot: Snapshot): Promise<readonly string[]>;
  /**
   * Commits edits of files on top of a branch (`null`: what is checked out), and nothing else; that commit. `null`: there was
   * nothing to do, or git is at work there.
   */
  commitEdits(branch: string | null, edits: readonly HeadEdit[], message: string): Promise<string | null>;
  /**
   * A copy of the work tree that holds a tree, with all that git ignores in the checkout.
   * @param committed What git in it finds committed; absent: what the repository has at HEAD.
   * @throws GitError
   */
  copyTree(tree: string, committed?: Committed): Promise<TreeCopy>;
  /** Git in it has what it holds in HEAD and in the index: to it, nothing is changed or new. @throws GitError */
  cleanCopy(copy: CleanCopy): Promise<TreeCopy>;
  /** What else git ignores in the checkout; a folder of which all is ignored is one. */
  notInstalled(): Promise<readonly string[]>;
  /** The copy in which a worker works at tasks (from 1); its base is as the last run left it. */
  work(worker: number): Work;
  /** Bytes that are free where copies lie, and that the first worker's takes there; `null`: there is none yet. */
  room(): Promise<{ readonly free: number; readonly copy: number } | null>;
  /** Removes all copies, and the layer below them; where they lay. No program may be at work in one. */
  removeCopies(): Promise<string>;
  /** Leaves what was learnt of the work tree to the next process: its first snapshot takes less time. */
  close(): void;
  /** Where a branch would be pushed to, by its short name (`null`: the current one); `null`: nowhere. */
  pushTarget(branch: string | null): Promise<PushTarget | null>;
  /** Whether it has commits there that the branch here doesn't have; false where that can't be found out within seconds. */
  isBehind(target: PushTarget): Promise<boolean>;
  /**
   * Pushes it there, never forced, once your pre-push hook passed in the box.
   *
   * @param apart What the remote's default branch isn't pushed to, but to a branch of this beginning: a pull request is wanted;
   *   `null`: it is pushed to.
   * @param moves Refs that move in the same push, all or none.
   * @returns `null`: nowhere.
   */
  push(branch: string | null, apart: string | null, moves?: readonly RefMove[]): Promise<PushOutcome | null>;
}
