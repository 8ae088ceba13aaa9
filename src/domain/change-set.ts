import * as z from 'zod/mini';

/** Exact identity of a work tree: two equal `tree` ids mean equal content, names and modes. */
export const Snapshot = z.object({
  /** Git tree id over tracked, staged, unstaged and untracked files, `.ralph/` left out. */
  tree: z.string(),
  /** Commit id, `null` before the first commit. */
  head: z.nullable(z.string()),
  /** Short branch name, `null` when detached. */
  branch: z.nullable(z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** Bytes of a diff that are read: what comes first in it must not hide the rest. */
export const READ_PATCH_BYTES = 64_000_000;

/** Line ranges as in a unified diff: 1-based; a length of 0 sits behind its start line. */
export const Hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
});
export type Hunk = z.infer<typeof Hunk>;

/** Mode of a submodule. */
export const GITLINK = '160000';

export const ChangeKind = z.enum(['added', 'modified', 'deleted', 'renamed', 'mode_changed', 'type_changed']);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const Change = z.object({
  /** Relative to the top of the work tree, `/` between; bytes that aren't UTF-8 in git's quoted form. */
  path: z.string(),
  /** Where a renamed file was before. */
  oldPath: z.nullable(z.string()),
  kind: ChangeKind,
  /** Git modes such as `100644`, `100755`, `120000` (symlink), `160000` (submodule); `null` where the side is absent. */
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

/** What is true of an attempt: the difference of two snapshots. Empty means that nothing was done. */
export const ChangeSet = z.object({
  before: Snapshot,
  after: Snapshot,
  changes: z.array(Change),
  /** Commits reachable from the new HEAD and not from the old one. */
  commits: z.array(AgentCommit),
  /** Hunks were left out because the change is too large; paths and counts are complete. */
  hunksOmitted: z.boolean(),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** A folder of the work that was a repository of its own: its files are the work's, as they are. */
export const InnerRepository = z.object({
  path: z.string(),
  /** Where its git folder is kept, relative to the checkout; `null`: nothing of it could be. */
  kept: z.nullable(z.string()),
  /** Where the `.git` file in it leads, as it says, when nothing of a git folder could be kept; `null`: it has none. */
  leadsTo: z.nullable(z.string()),
  /** Files of the work that lie in it, and their bytes. */
  files: z.number(),
  bytes: z.number(),
});
export type InnerRepository = z.infer<typeof InnerRepository>;

/** The commit of a submodule that the work changes. */
export const Pointer = z.object({
  path: z.string(),
  commit: z.string(),
  url: z.string(),
  /** `uncommitted`: files in it differ from that commit; `unreachable`: it can't be had elsewhere. `null`: it can land. */
  problem: z.nullable(z.enum(['uncommitted', 'unreachable'])),
  /** Why it can't be had, as the rest of a sentence about it; '' where that isn't the problem. */
  text: z.string(),
  /** The command that gets what is kept of it, in the checkout; `null`: nothing is kept. */
  fetch: z.nullable(z.string()),
});
export type Pointer = z.infer<typeof Pointer>;

/** What your commit hooks made of the work, by its paths. */
export const ByHooks = z.object({ changed: z.array(z.string()), tookOut: z.array(z.string()) });
export type ByHooks = z.infer<typeof ByHooks>;

/**
 * A change that isn't work where the task doesn't ask for it. `empty`: a file that holds white space at most;
 * `output`: a file that gates write, too, or that lies in a folder of a tool.
 */
export const IdleChange = z.object({
  path: z.string(),
  why: z.enum(['white_space', 'mode', 'empty', 'output']),
});
export type IdleChange = z.infer<typeof IdleChange>;

/** All paths of a change set; of a rename the old one, too. */
export function pathsOf({ changes }: Pick<ChangeSet, 'changes'>): string[] {
  return changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
}

/** Something of git's that was started in the work tree and isn't finished: a merge, a rebase, a bisect. */
export const GitOperation = z.object({
  /** With its article. */
  what: z.string(),
  /** The commands that end it. */
  finish: z.string(),
  giveUp: z.string(),
});
export type GitOperation = z.infer<typeof GitOperation>;

/** What the attempts of a task's series changed so far. Paths as in a change set. */
export const Series = z.object({
  worker: z.number(),
  worktree: z.string(),
  /** As it was before the first attempt of the series. */
  tree: z.string(),
  head: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  /** Paths that agents changed. */
  work: z.array(z.string()),
  /** Those of the newest attempts, as far as an outage, a limit, a crash or you ended them. They weren't searched for credentials. */
  unjudged: z.array(z.string()),
});
export type Series = z.infer<typeof Series>;

/** What lies between the tree that a series began with and the one that its newest attempt left. */
export const SeriesChanges = z.object({ changes: ChangeSet, idleChanges: z.array(IdleChange) });

/** The work of a series that ended undone. */
export const SetAside = z.object({
  /** Checkpoint of the copy with it: `kept/N`. */
  checkpoint: z.string(),
  /** Trees without the work and with it. */
  base: z.string(),
  tree: z.string(),
  paths: z.array(z.string()),
  /** Of the patch from `base` to `tree`. */
  sha256: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;
