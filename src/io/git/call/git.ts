import { copyFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { GitError } from '../../../domain/ports.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { ownPath } from '../../programs/start/own-program.ts';
import { type GitPurpose, gitCall } from './environment.ts';
import { type GitAnswer, type GitRequest, runGit } from './run-git.ts';
import type { WorkTree } from './work-tree.ts';

/** Variables of one call beside those of its purpose. */
type Extra = { readonly env?: NodeJS.ProcessEnv };

/** Reads or writes objects and refs of a repository, or the user's index; hooks don't run. */
export function objectGit(
  tree: WorkTree,
  args: readonly string[],
  { env, ...request }: GitRequest & Extra = {},
): Promise<GitAnswer> {
  return runGit(gitCall({ kind: 'objects', tree }, env), args, request);
}

/** The same for output that is one line or a few. */
export async function objectText(
  tree: WorkTree,
  args: readonly string[],
  request: GitRequest & Extra = {},
): Promise<string> {
  return trimBlanks((await objectGit(tree, args, request)).stdout.toString('utf8'));
}

/** Calls on one index. */
export type IndexGit = (
  args: readonly string[],
  input?: Buffer,
  answers?: readonly number[],
) => Promise<GitAnswer>;

/** On one of ours; for `objects` on the user's. What a killed git left locked of a passing one is unlocked: this process alone has it. */
export function indexGit(purpose: GitPurpose): IndexGit {
  if (purpose.kind === 'passing-index') rmSync(`${purpose.index}.lock`, { force: true });
  return (args, input, answers) => runGit(gitCall(purpose), args, { input, answers });
}

export function userIndexGit(tree: WorkTree): IndexGit {
  return indexGit({ kind: 'objects', tree });
}

/** The id of the commit that a name stands for; `null` when there is none. */
export async function revision(tree: WorkTree, name: string): Promise<string | null> {
  return (await objectText(tree, ['rev-parse', '--verify', '--quiet', name], { answers: [1] })) || null;
}

/** Whether a commit is another one, or in its history; false where either isn't there. */
export async function isReachable(tree: WorkTree, commit: string, from: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, from];
  return (await objectGit(tree, args, { answers: [1, 128] })).code === 0;
}

/** What the user's reflog says of a branch that moves. */
const LANDED = 'ralph: landed';
/** A git that moves refs of ours has their locks for milliseconds: one that lies there longer is that of a killed git. */
const DEAD_LOCK_MS = 2000;
/** What a full disk and the like make git say. */
const REFUSED_BY_SYSTEM =
  /No space left on device|Disk quota exceeded|File too large|Read-only file system|Permission denied|Input\/output error/;
const OWN_LOCK = /Unable to create '([^']*\/refs\/ralph\/[^']*\.lock)': File exists/;

/**
 * Moves refs, all of them or none. What a killed git left locked of ralph's own is unlocked.
 *
 * @param updates Lines of `git update-ref --stdin`.
 * @returns false where a ref isn't what the update expects, or git is at work on it.
 * @throws GitError where the system refuses it.
 */
export async function moveRefs(tree: WorkTree, updates: readonly string[]): Promise<boolean> {
  const input = `${updates.join('\n')}\n`;
  const args = ['-c', `core.filesRefLockTimeout=${DEAD_LOCK_MS}`, 'update-ref', '--stdin', '-m', LANDED];
  for (let left = updates.length; ; left -= 1) {
    const { code, stderr } = await objectGit(tree, args, { input, answers: [1, 128] });
    if (code !== 0 && REFUSED_BY_SYSTEM.test(stderr))
      throw new GitError(`git update-ref ended with ${code}: ${stderr}`);
    const lock = OWN_LOCK.exec(stderr)?.[1];
    if (code === 0 || lock === undefined || left === 0) return code === 0;
    rmSync(lock, { force: true });
  }
}

/** @throws GitError where `moveRefs` would give false. */
export async function updateRefs(tree: WorkTree, updates: readonly string[]): Promise<void> {
  if (updates.length === 0 || (await moveRefs(tree, updates))) return;
  // Once more for what git says.
  await objectGit(tree, ['update-ref', '--stdin'], { input: `${updates.join('\n')}\n` });
}

/** A setting of git in the canonical form of its type; `null` when it isn't set. */
export async function setting(
  tree: WorkTree,
  type: 'bool' | 'int' | 'path',
  key: string,
): Promise<string | null> {
  // Without our own settings, which come as flags.
  const call = { ...gitCall({ kind: 'objects', tree }), flags: [] };
  const found = await runGit(call, ['config', `--type=${type}`, '--get', key], { answers: [1] });
  return found.code === 0 ? found.stdout.toString('utf8').replace(/\n$/, '') : null;
}

/**
 * Makes a commit in the user's name that no branch holds yet; its id. Signed where `signingMs` says how long that may take.
 *
 * @throws GitError where git doesn't know who commits, or it can't be signed.
 */
export async function commitOnBehalf(
  tree: WorkTree,
  treeId: string,
  parents: readonly string[],
  message: string,
  dates: NodeJS.ProcessEnv = {},
  signingMs: number | null = null,
): Promise<string> {
  const unknown = await identityProblem(tree, dates);
  if (unknown !== null) throw new GitError(unknown);
  const args = ['commit-tree', treeId, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const env = { ...dates, PATH: ownPath(tree.top) };
  const call = gitCall({ kind: signingMs === null ? 'objects' : 'user', tree, hooks: '/dev/null' }, env);
  const limit = signingMs === null ? {} : { limitMs: signingMs };
  const flags = signingMs === null ? args : [...args, '-S'];
  return trimBlanks((await runGit({ ...call, ...limit }, flags, { input: message })).stdout.toString('utf8'));
}

/** How long the user's program for signatures may take, in milliseconds. */
const SIGNING_MS = 60_000;

/** How long the signing of commits may take together; `null`: the user doesn't sign theirs. */
export async function signingLimit(tree: WorkTree): Promise<number | null> {
  return (await setting(tree, 'bool', 'commit.gpgsign')) === 'true' ? SIGNING_MS : null;
}

/** `null` when git knows who commits. */
async function identityProblem(tree: WorkTree, env: NodeJS.ProcessEnv): Promise<string | null> {
  for (const variable of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const { code, stderr } = await objectGit(tree, ['var', variable], { answers: [128], env });
    if (code !== 0) {
      const why = stderr.split('\n').findLast((line) => line.startsWith('fatal:')) ?? stderr;
      return `git doesn't know who commits (${why}). Run: git config user.name "…" && git config user.email "…"`;
    }
  }
  return null;
}

/** Who makes the commits that only ralph refers to; fixed, so that nothing depends on the user's settings. */
const OWN_IDENTITY = {
  GIT_AUTHOR_NAME: 'ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
} as const;

/**
 * Makes a commit of a tree that no branch holds; its id. Not signed.
 *
 * @param dates Of author and committer, as git's variables have them; `null`: now.
 */
export async function commitTree(
  tree: WorkTree,
  treeId: string,
  parents: readonly string[],
  message: string,
  dates: NodeJS.ProcessEnv | null = null,
): Promise<string> {
  const args = ['commit-tree', treeId, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return objectText(tree, args, { env: { ...OWN_IDENTITY, ...dates }, input: message });
}

/**
 * Copies an index with its age: git reads files again that are as young as their index, and a younger copy would have it believe that a
 * file of the same size is the same file.
 */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

type ReadObject = { readonly id: string; readonly kind: string; readonly content: Buffer };

type ReadObjects = {
  /** In the order in which they were asked for; `null`: there is none with this name. */
  readonly objects: readonly (ReadObject | null)[];
  /** They are more than `maxBytes` together: what comes behind is left out, and the last may be cut. */
  readonly cut: boolean;
};

/**
 * Reads objects in one call.
 *
 * @param names As `git rev-parse` takes them, one character per byte, without a line end.
 * @throws GitError
 */
export async function readObjects(
  tree: WorkTree,
  names: readonly string[],
  maxBytes?: number,
): Promise<ReadObjects> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const { stdout, cut } = await objectGit(tree, ['cat-file', '--batch'], { input, maxBytes });
  const objects: (ReadObject | null)[] = [];
  for (let at = 0; at < stdout.length; ) {
    const line = stdout.indexOf(0x0a, at);
    const end = line < 0 ? stdout.length : line;
    const [, id = '', kind = '', size] =
      /^([0-9a-f]+) (\w+) (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) {
      objects.push(null);
      continue;
    }
    objects.push({ id, kind, content: stdout.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return { objects, cut };
}

/** Writes an object with this text; its id. */
export function writeText(tree: WorkTree, text: string): Promise<string> {
  return objectText(tree, ['hash-object', '-w', '--stdin'], { input: text });
}
