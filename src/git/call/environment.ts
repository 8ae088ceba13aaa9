import { join } from 'node:path';
import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { patience } from 'ralph-kit/programs/start/patience';
import { quotePath } from './git-path.ts';
import { NO_PROGRAMS } from './no-programs.ts';
import type { PinnedView, WorkTree } from './work-tree.ts';

export type GitPurpose =
  /** A question about a folder; git itself looks for the repository. */
  | { readonly kind: 'question'; readonly folder: string }
  /** A call that reads or writes objects and refs of a known repository; filters may run, hooks don't. */
  | { readonly kind: 'objects'; readonly tree: WorkTree }
  /** A call that works on a private index of ralph's. */
  | { readonly kind: 'private-index'; readonly tree: WorkTree; readonly index: string }
  /** A call that works on an index of ralph's that lasts for a few calls and is never compared with the work tree. */
  | { readonly kind: 'passing-index'; readonly tree: WorkTree; readonly index: string }
  /** A call on the user's behalf: these hooks and signing work as at the prompt. */
  | { readonly kind: 'user'; readonly tree: WorkTree; readonly hooks: string };

export type GitCall = {
  readonly program: ReturnType<typeof ownProgram>;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
  /** Whether the call may run the user's programs: hooks, signing, credential helpers. */
  readonly runsUsers: boolean;
  readonly limitMs: number;
  /** Absolute paths of the git folders that the call reads. */
  readonly gitFolders: readonly string[];
};

/**
 * Variables from `git rev-parse --local-env-vars`, and others that change how paths and diffs are read; inherited
 * from a hook or alias, they would send ralph's calls to another repository.
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

/**
 * Makes output readable: C locale, no optional locks on the user's index, literal paths. MALLOC_TOP_PAD_ keeps freed
 * memory, which glibc otherwise returns and requests again for each hashed file; that doubles the time for many small
 * files.
 */
const READABLE = {
  MALLOC_TOP_PAD_: '1048576',
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
} as const;

/** Milliseconds. Questions read a few files; other calls may read a large work tree or run your hooks. */
const QUESTION_LIMIT_MS = 2 * 60_000;
const WORK_LIMIT_MS = 10 * 60_000;

/** Variables that name programs; they would override the settings. */
const PROGRAM_VARIABLES = [
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_PROXY_COMMAND',
] as const;
const NO_EDITOR = { GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':' };

/** Your ssh and helpers stay. Git's housekeeping would outlast the commit and doesn't know ralph's work trees. */
const USERS = ['core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];

/** Larger files are streamed instead of held in memory, and are binary in diffs. */
const BIG_FILE = 'core.bigFileThreshold=32m';
const NO_HOOKS = 'core.hooksPath=/dev/null';
/** Copies of object data that git would trust over the objects; an agent may have written them. */
const NO_COPIES = ['core.commitGraph=false', 'core.multiPackIndex=false'];
/** A missing `orderFile` disables git's diffs and may be in the work tree; `quotePath=false` keeps non-ASCII names. */
const DIFFS = ['diff.orderFile=/dev/null', 'core.quotePath=false'];

/**
 * Overrides the repository's settings that would hide a change (`trustctime`, `checkStat`, `ignoreStat`, fsmonitor,
 * sparse or split index); settings that define content (`autocrlf`, filters, `fileMode`) stay. Uncompressed objects
 * take 0.5 s instead of 2.2 s for 100 MB. The untracked cache works with `showUntrackedFiles` as a setting, not with
 * the flag `-uall`.
 */
const PRIVATE_INDEX = [
  'core.untrackedCache=true',
  'core.splitIndex=false',
  'index.sparse=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.safecrlf=false',
  'core.looseCompression=0',
  'pack.compression=0',
  'status.renames=false',
];

/** A passing index needs nothing that speeds up the next read. All processors write files. */
const PASSING_INDEX = [
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.sparseCheckout=false',
  'checkout.workers=0',
];

/** Returns the environment and flags of a git call; every call of git goes through this function. */
export function gitCall(purpose: GitPurpose, extra: NodeJS.ProcessEnv = {}): GitCall {
  const user = withoutInherited(process.env);
  Object.assign(user, { GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', ...NO_EDITOR });
  if (purpose.kind === 'question') {
    const { folder } = purpose;
    const made = call(null, folder, withoutPrograms({ ...user, ...READABLE }), NO_PROGRAMS, extra);
    return { ...made, limitMs: patience(QUESTION_LIMIT_MS) };
  }
  const { top, gitDir, view, passing } = purpose.tree;
  const env: NodeJS.ProcessEnv = { ...user, GIT_DIR: gitDir, GIT_WORK_TREE: top, ...viewVariables(view) };
  if (passing !== undefined) env.GIT_OBJECT_DIRECTORY = passing;
  const alternates = alternatesOf(purpose.tree);
  if (alternates.length > 0) env.GIT_ALTERNATE_OBJECT_DIRECTORIES = alternates.join(':');
  if (purpose.kind === 'user') {
    const made = call(purpose.tree, top, env, [...USERS, `core.hooksPath=${purpose.hooks}`], extra);
    return { ...made, runsUsers: true };
  }
  Object.assign(withoutPrograms(env), READABLE);
  const common = [...NO_PROGRAMS, NO_HOOKS, ...NO_COPIES, ...DIFFS, BIG_FILE];
  if (purpose.kind === 'objects') return call(purpose.tree, top, env, common, extra);
  env.GIT_INDEX_FILE = purpose.index;
  if (purpose.kind === 'passing-index')
    return call(purpose.tree, top, env, [...PASSING_INDEX, ...common], extra);
  // `git status` needs optional locks to keep the private index warm.
  delete env.GIT_OPTIONAL_LOCKS;
  return call(purpose.tree, top, env, [...PRIVATE_INDEX, ...common], extra);
}

export function withoutInherited(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...given };
  for (const name of INHERITED) delete env[name];
  return env;
}

function call(
  tree: WorkTree | null,
  folder: string,
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
  extra: NodeJS.ProcessEnv,
): GitCall {
  const flags = settings.flatMap((setting) => ['-c', setting]);
  return {
    program: ownProgram('git', folder),
    folder,
    env: { ...env, ...extra },
    flags,
    runsUsers: false,
    limitMs: patience(WORK_LIMIT_MS),
    gitFolders: tree === null ? [join(folder, '.git')] : [tree.gitDir, tree.commonDir],
  };
}

function withoutPrograms(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  for (const name of PROGRAM_VARIABLES) delete env[name];
  return env;
}

/** Returns object folders, quoted for git's variable. */
function alternatesOf({ commonDir, passing, alternates }: WorkTree): string[] {
  const own = passing === undefined ? undefined : join(commonDir, 'objects');
  return [own, ...(alternates ?? [])].flatMap((one) =>
    one === undefined ? [] : quotePath(Buffer.from(one)),
  );
}

/** Points git to the pinned settings instead of those of the repository, user and system. */
function viewVariables(view: PinnedView | null): NodeJS.ProcessEnv {
  if (view === null) return {};
  return { GIT_COMMON_DIR: view.folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}
