import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shellQuote } from 'ralph-kit/shell-quote';
import { GitError } from '../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { bytePath } from '../call/git-path.ts';
import { runGit } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';

export type Located =
  | { readonly ok: true; readonly tree: WorkTree; readonly prefix: string }
  /** No work tree was found; `next` is the command that helps. */
  | { readonly ok: false; readonly message: string; readonly next?: string };

/** Finds the work tree of a folder; `prefix` is the folder's path below the top, empty or ending in `/`. */
export async function locate(root: string): Promise<Located> {
  const questions = [
    '--is-bare-repository',
    '--is-inside-work-tree',
    '--absolute-git-dir',
    '--git-common-dir',
  ];
  try {
    const { code, stdout, stderr } = await runGit(
      gitCall({ kind: 'question', folder: root }),
      ['rev-parse', ...questions, '--show-prefix', '--show-toplevel'],
      { answers: [128] },
    );
    const [bare, inside, gitDir = '', commonDir = '', prefix = '', top = ''] = stdout
      .toString('utf8')
      .split('\n');
    if (code !== 0 || inside !== 'true') return { ok: false, ...refusal(root, bare, inside, stderr) };
    // ralph's folder is at the top, wherever the command runs.
    const ownFolder = bytePath(Buffer.from('.ralph'));
    return {
      ok: true,
      prefix,
      tree: { top, gitDir, commonDir: resolve(root, commonDir), ownFolder, view: null },
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ok: false, message: `${error.message}. Check that ${root} exists and that git is installed.` };
  }
}

function refusal(
  root: string,
  bare: string | undefined,
  inside: string | undefined,
  stderr: string,
): { readonly message: string; readonly next?: string } {
  if (bare === 'true') {
    return {
      message: `${root} is a bare repository: it has no work tree for an agent.`,
      next: `git clone ${shellQuote(root)} ~/${shellQuote(basename(root, '.git'))}`,
    };
  }
  if (inside === 'false') {
    const top = nearestAbove(root);
    return {
      message: `${root} is inside a .git folder. Run ralph in the work tree.`,
      ...(top === null ? {} : { next: `cd ${shellQuote(top)}` }),
    };
  }
  if (stderr.includes('dubious ownership')) {
    const message = `${root} belongs to another user, so git refuses it. If you trust it, tell git.`;
    return { message, next: `git config --global --add safe.directory ${shellQuote(root)}` };
  }
  if (stderr.includes('not a git repository')) {
    const message = damaged(root);
    return message === null ? outside(root) : { message };
  }
  return { message: `git cannot use ${root}: ${stderr || 'no message'}.`, next: 'git status' };
}

function outside(root: string): { readonly message: string; readonly next: string } {
  const top = nearestAbove(root);
  const where = top === null ? '' : ` The nearest one above is ${top}.`;
  return {
    message: `${root} isn't in a git repository.${where}`,
    next: top === null ? 'git init' : `cd ${shellQuote(top)}`,
  };
}

function nearestAbove(root: string): string | null {
  const above = dirname(root);
  if (above === root) return null;
  return existsSync(join(above, '.git')) ? above : nearestAbove(above);
}

/** Returns what git misses in a damaged `.git` folder; `null` without one, or when nothing is visible. */
function damaged(root: string): string | null {
  const folder = join(root, '.git');
  if (!isReadable(folder, true)) return null;
  const name = ['HEAD', 'objects', 'refs'].find((one) => !isReadable(join(folder, one), one !== 'HEAD'));
  if (name === undefined) return null;
  const what = name === 'HEAD' ? 'file' : 'folder';
  return `${join(folder, name)} isn't a ${what} that can be read, so git finds no repository in ${root}. Bring it back, then try again.`;
}

function isReadable(path: string, asFolder: boolean): boolean {
  try {
    accessSync(path, constants.R_OK);
    return asFolder ? statSync(path).isDirectory() : statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Oldest supported git. */
const OLDEST: readonly [number, number] = [2, 30];

/** Returns what to do when git is missing or too old, else `null`. */
export async function gitProblem(cwd: string): Promise<string | null> {
  try {
    const { stdout } = await runGit(gitCall({ kind: 'question', folder: cwd }), ['--version']);
    return versionProblem(stdout.toString('utf8').trim());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return `${error.message}. Check that ${cwd} exists, and install git ${OLDEST.join('.')} or newer.`;
  }
}

export async function hasIdentity(folder: string): Promise<boolean> {
  const call = gitCall({ kind: 'question', folder });
  return (await runGit(call, ['var', 'GIT_COMMITTER_IDENT'], { answers: [128] })).code === 0;
}

export function versionProblem(text: string): string | null {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || minor === undefined) {
    return `"git --version" said "${text}", which isn't a version. Install git ${OLDEST.join('.')} or newer.`;
  }
  const [oldestMajor, oldestMinor] = OLDEST;
  const good = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  return good ? null : `git is ${major}.${minor}; ralph needs ${OLDEST.join('.')} or newer. Update git.`;
}
