import type { WorkTree } from '../repository/work-tree.ts';

/** What a call of git is for. */
export type GitPurpose =
  /** A question about a folder: git looks for the repository itself. */
  | { readonly kind: 'question'; readonly folder: string }
  /** Reads or writes objects and refs of a known repository; filters may run, hooks don't. */
  | { readonly kind: 'objects'; readonly tree: WorkTree }
  /** Works on a private index of ours, with the pinned ignore rules instead of the user's `core.excludesFile`. */
  | {
      readonly kind: 'private-index';
      readonly tree: WorkTree;
      readonly index: string;
      readonly excludes: string;
    }
  /** Works on an index of ours that lasts for a few calls, and never reads the work tree by it. */
  | { readonly kind: 'passing-index'; readonly tree: WorkTree; readonly index: string }
  /** What the user could have run: hooks, signing and paths work as at the prompt. */
  | { readonly kind: 'user'; readonly tree: WorkTree };

/** How git is called: where, with which environment, and with which flags before the command. */
export type GitCall = {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
};

/**
 * What `git rev-parse --local-env-vars` names, and what changes how paths and diffs are read: inherited from a hook
 * or an alias, these would send our commands to another repository.
 */
const INHERITED = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
] as const;

/** For output that is read: C locale, no optional locks on the user's index, paths taken literally. */
const READABLE = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
} as const;

/** Files above this size are streamed instead of held in memory, and count as binary in diffs. */
const BIG_FILE = 'core.bigFileThreshold=32m';
const NO_HOOKS = 'core.hooksPath=/dev/null';

/**
 * Settings of calls on a private index. Those of the repository that would hide a change (`trustctime`, `checkStat`,
 * `ignoreStat`, fsmonitor, sparse or split index) are overruled; those that decide what content is (`autocrlf`,
 * filters, `fileMode`) stay. Objects are written uncompressed: 0.5 s instead of 2.2 s for 100 MB.
 * The untracked cache works with `showUntrackedFiles` as a setting, not with the flag `-uall`.
 */
const PRIVATE_INDEX = [
  'core.untrackedCache=true',
  'core.fsmonitor=false',
  'core.splitIndex=true',
  'index.sparse=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.safecrlf=false',
  'core.looseCompression=0',
  'pack.compression=0',
  'status.renames=false',
  NO_HOOKS,
  BIG_FILE,
];

/** A passing index needs none of what makes the next reading faster. */
const PASSING_INDEX = [
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.fsmonitor=false',
  'core.sparseCheckout=false',
];

/** The one place where the environment and the flags of git are made; every call of git goes through it. */
export function gitCall(purpose: GitPurpose, extra: NodeJS.ProcessEnv = {}): GitCall {
  const user: NodeJS.ProcessEnv = { ...process.env };
  for (const name of INHERITED) delete user[name];
  Object.assign(user, { GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' });
  if (purpose.kind === 'question') {
    return { folder: purpose.folder, env: { ...user, ...READABLE, ...extra }, flags: [] };
  }
  const { top, gitDir } = purpose.tree;
  if (purpose.kind === 'user') return { folder: top, env: { ...user, ...extra }, flags: [] };
  const env: NodeJS.ProcessEnv = { ...user, ...READABLE, GIT_DIR: gitDir, GIT_WORK_TREE: top, ...extra };
  if (purpose.kind === 'objects') return { folder: top, env, flags: settings([NO_HOOKS, BIG_FILE]) };
  env.GIT_INDEX_FILE = purpose.index;
  if (purpose.kind === 'passing-index')
    return { folder: top, env, flags: settings([...PASSING_INDEX, NO_HOOKS, BIG_FILE]) };
  // Optional locks are wanted here: `git status` keeps the private index warm.
  delete env.GIT_OPTIONAL_LOCKS;
  return { folder: top, env, flags: settings([...PRIVATE_INDEX, `core.excludesFile=${purpose.excludes}`]) };
}

/** As flags before a command of git: `-c NAME=VALUE`. */
function settings(list: readonly string[]): string[] {
  return list.flatMap((setting) => ['-c', setting]);
}
