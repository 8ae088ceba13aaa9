import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';
import { GitError } from '../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { runGit } from '../call/run-git.ts';
import { FETCH_PLAINLY } from './remote-call.ts';

/** Larger work trees aren't copied; in kB. */
const MOST_KB = 2 * 1024 * 1024;

export type ScratchClone = { readonly folder: string; readonly remove: () => void };

/** Copies a work tree for programs that write freely; returns a reason when it isn't copied. */
export async function scratchClone(
  root: string,
): Promise<
  { readonly ok: true; readonly clone: ScratchClone } | { readonly ok: false; readonly why: string }
> {
  const names = readdirSync(root).filter((name) => name !== '.git' && name !== '.ralph');
  const paths = names.map((name) => join(root, name));
  const base = mkdtempSync(join(tmpdir(), 'ralph-scratch-'));
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  const folder = join(base, 'work');
  try {
    const { stdout } = await runShort('du', ['-sk', root], { reject: false });
    if (Number.parseInt(stdout, 10) > MOST_KB) throw new Error('the work tree is larger than 2 GB');
    await ownRepository(root, folder);
    if (paths.length > 0) await runShort('cp', ['-a', '--', ...paths, folder], {});
    return { ok: true, clone: { folder, remove } };
  } catch (error) {
    remove();
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { ok: false, why };
  }
}

/** Makes a separate repository at another one's commit, sharing its objects but no branches or index. */
async function ownRepository(root: string, folder: string): Promise<void> {
  const git = (at: string, ...args: string[]) =>
    runGit(gitCall({ kind: 'question', folder: at }), args, { answers: [1, 128] });
  const asked = await git(root, 'rev-parse', '--git-common-dir', 'HEAD');
  const [commonDir = '', head = ''] = asked.stdout.toString('utf8').split('\n');
  mkdirSync(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--template=', '.');
  const info = join(folder, '.git', 'objects', 'info');
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, 'alternates'), `${resolve(root, commonDir)}/objects\n`);
  if (asked.code !== 0) return;
  await git(folder, 'update-ref', 'HEAD', head);
  await git(folder, 'reset', '--quiet');
}

/** Runs hooks. @param paths Relative to `root`; absent: everything not ignored. @throws GitError */
export async function commitAll(root: string, message: string, paths?: readonly string[]): Promise<void> {
  const only = paths === undefined ? [] : ['--', ...paths];
  for (const args of [
    ['add', '-A', ...only],
    ['commit', '--quiet', '-m', message, ...only],
  ]) {
    const env = { GIT_LITERAL_PATHSPECS: '1' };
    const { exitCode, stderr, stdout } = await runShort('git', args, { cwd: root, reject: false, env });
    if (exitCode !== 0)
      throw new GitError(`git ${args[0]} failed: ${stderr || stdout || `exit ${exitCode}`}`);
  }
}

/** Time limit for a slow server, in milliseconds. */
const PATIENCE_MS = 5 * 60_000;

/** `commits` in the order of the refs; `why` is git's message. */
type Fetched =
  | { readonly ok: true; readonly commits: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Fetches commits like a user would, changing no ref, file or setting. */
export async function fetchRefs(root: string, remote: string, refs: readonly string[]): Promise<Fetched> {
  const env = { GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd: root, env, reject: false, timeout: PATIENCE_MS, stdin: 'ignore' as const };
  const listed = await runShort('git', ['ls-remote', '--', remote, ...refs], options);
  const got = listed.failed
    ? listed
    : await runShort('git', ['-c', 'gc.auto=0', 'fetch', ...FETCH_PLAINLY, '--', remote, ...refs], options);
  if (got.timedOut) {
    const command = got === listed ? 'ls-remote' : 'fetch';
    return { ok: false, why: `git ${command} ${lateText(patience(PATIENCE_MS))}` };
  }
  if (got.failed) return { ok: false, why: got.stderr.trim().split('\n')[0] || got.shortMessage };
  const known = new Map(listed.stdout.split('\n').map((line) => [line.split('\t')[1], line.split('\t')[0]]));
  const commits = refs.map((ref) => known.get(ref) ?? '');
  const missing = refs.find((_, at) => commits[at] === '');
  return missing === undefined ? { ok: true, commits } : { ok: false, why: `${remote} has no ${missing}` };
}
