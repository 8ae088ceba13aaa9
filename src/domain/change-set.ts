import * as z from 'zod/mini';

/** State of a work tree. Equal `tree` ids mean equal content, names and modes. */
export const Snapshot = z.object({
  /** Git tree id of tracked, staged, unstaged and untracked files, without `.ralph/`. */
  tree: z.string(),
  /** Commit id; `null` before the first commit. */
  head: z.nullable(z.string()),
  /** Short branch name; `null` when HEAD is detached. */
  branch: z.nullable(z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

/**
 * Maximum number of bytes of a diff that are read. The limit is high, because a large first part must not hide later
 * changes.
 */
export const READ_PATCH_BYTES = 64_000_000;

/** Line ranges as in a unified diff: 1-based; a range of length 0 is behind its start line. */
export const Hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
});
export type Hunk = z.infer<typeof Hunk>;

export const GITLINK = '160000';

export const ChangeKind = z.enum(['added', 'modified', 'deleted', 'renamed', 'mode_changed', 'type_changed']);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const Change = z.object({
  /** Relative to the top of the work tree, separated by `/`; bytes that aren't UTF-8 are in git's quoted form. */
  path: z.string(),
  oldPath: z.nullable(z.string()),
  kind: ChangeKind,
  /** Git modes: `100644`, `100755`, `120000` (symlink), `160000` (submodule), …; `null` where the side is absent. */
  oldMode: z.nullable(z.string()),
  newMode: z.nullable(z.string()),
  binary: z.boolean(),
  linesAdded: z.number(),
  linesRemoved: z.number(),
  hunks: z.array(Hunk),
});
export type Change = z.infer<typeof Change>;

export const AgentCommit = z.object({ id: z.string(), subject: z.string() });
export type AgentCommit = z.infer<typeof AgentCommit>;

/** The difference between two snapshots: what an attempt really changed. Empty: nothing. */
export const ChangeSet = z.object({
  before: Snapshot,
  after: Snapshot,
  changes: z.array(Change),
  /** Commits reachable from the new HEAD and not from the old one. */
  commits: z.array(AgentCommit),
  /** The change is too large to keep its hunks; paths and counts are complete. */
  hunksOmitted: z.boolean(),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

export const InnerRepository = z.object({
  path: z.string(),
  /** Path of its git folder's copy, relative to the checkout; `null`: the git folder couldn't be kept. */
  kept: z.nullable(z.string()),
  /** Target of the `.git` file if the git folder couldn't be kept; `null`: there is no such file. */
  leadsTo: z.nullable(z.string()),
  files: z.number(),
  bytes: z.number(),
});
export type InnerRepository = z.infer<typeof InnerRepository>;

export const Pointer = z.object({
  path: z.string(),
  commit: z.string(),
  url: z.string(),
  /**
   * Why the submodule can't land. `uncommitted`: its files differ from the commit; `unreachable`: no remote has the
   * commit. `null`: it can land.
   */
  problem: z.nullable(z.enum(['uncommitted', 'unreachable'])),
  /** Reason why no remote has the commit, as the end of a sentence; '' for other problems. */
  text: z.string(),
  /** Command that gets the kept commit into the checkout; `null`: nothing is kept. */
  fetch: z.nullable(z.string()),
});
export type Pointer = z.infer<typeof Pointer>;

export const ByHooks = z.object({ changed: z.array(z.string()), tookOut: z.array(z.string()) });
export type ByHooks = z.infer<typeof ByHooks>;

/**
 * A change that counts as work only if the task asks for it. `empty`: an empty file; `output`: written by a gate, or in
 * a tool's own folder.
 */
export const IdleChange = z.object({
  path: z.string(),
  why: z.enum(['white_space', 'mode', 'empty', 'output']),
});
export type IdleChange = z.infer<typeof IdleChange>;

export function pathsOf({ changes }: Pick<ChangeSet, 'changes'>): string[] {
  return changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
}

/** An unfinished git operation in the work tree: a merge, a rebase, a bisect. */
export const GitOperation = z.object({
  what: z.string(),
  /** Command that completes the operation. */
  finish: z.string(),
  giveUp: z.string(),
});
export type GitOperation = z.infer<typeof GitOperation>;

/** All changes of a task since its series of attempts began. Paths are as in a change set. */
export const Series = z.object({
  worker: z.number(),
  worktree: z.string(),
  /** Tree before the first attempt of the series. */
  tree: z.string(),
  head: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  work: z.array(z.string()),
  /**
   * Paths changed by the newest attempts, if an outage, a limit, a crash or you ended them. No credentials were
   * searched in them.
   */
  unjudged: z.array(z.string()),
});
export type Series = z.infer<typeof Series>;

export const SeriesChanges = z.object({ changes: ChangeSet, idleChanges: z.array(IdleChange) });

export const SetAside = z.object({
  /** Checkpoint with the work, named `kept/N`. */
  checkpoint: z.string(),
  base: z.string(),
  tree: z.string(),
  paths: z.array(z.string()),
  /** SHA-256 of the patch from `base` to `tree`. */
  sha256: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;
