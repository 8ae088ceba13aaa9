import { appendFileSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holdsPackages, isCargoTarget, isEnvironment, isInstalled, TOOL_CACHES } from 'ralph-ecosystems';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { isAtOrBelow } from 'ralph-kit/paths';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { tryOr } from 'ralph-kit/try-or';
import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath, ignoreLine, nulList, pathIn, printPath } from '../call/git-path.ts';
import { gitOr } from '../call/run-git.ts';
import { absolute, isOwn, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';
import { ofOtherPackages } from './cargo.ts';

export type Ignored = {
  readonly entries: readonly BytePath[];
  /** Ignored files that a clean copy gets. */
  readonly clean: readonly BytePath[];
  readonly heldOut: readonly BytePath[];
};

/** Returns a text that changes when an ignored file or folder at the top changes. */
export function topStamp(tree: WorkTree, { entries, heldOut }: Ignored): string {
  return [...entries.map((path) => stampOf(tree, path)), ...heldOut.map((path) => `without ${path}`)].join(
    '\n',
  );
}

/** Removes held-out files and tool caches from a layer. */
export function trimLayer(folder: string, { entries, heldOut }: Ignored): void {
  removeIn(folder, heldOut);
  removeIn(folder, cachesIn(entries));
}

export function removeIn(folder: string, paths: readonly BytePath[]): void {
  for (const path of paths) removeTree(pathIn(folder, path));
}

export function isHeldOut(path: BytePath, heldOut: readonly BytePath[]): boolean {
  return heldOut.some((one) => isAtOrBelow(path, one));
}

/** Larger folders aren't copied; in kB. */
const MOST_KB = 2 * 1024 * 1024;

export function splitBySize(
  tree: WorkTree,
  paths: readonly BytePath[],
): { readonly small: readonly BytePath[]; readonly large: readonly BytePath[] } {
  if (paths.length === 0) return { small: paths, large: [] };
  const options = { cwd: tree.top, stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'] };
  const input = nulList(paths);
  const args = ['-sk0', '--files0-from=-'];
  const { stdout } = startSync('du', args, { ...options, input, encoding: 'latin1' });
  const sizes = new Map(
    (stdout ?? '').split('\0').map((line) => {
      const [size = '', path = ''] = line.split('\t');
      return [path, Number(size)];
    }),
  );
  const isLarge = (path: BytePath) => (sizes.get(path) ?? 0) > MOST_KB;
  return { small: paths.filter((path) => !isLarge(path)), large: paths.filter(isLarge) };
}

/** Copies files with modes, links and times; returns false when some couldn't be read. */
export function copyByList(
  { top }: WorkTree,
  paths: readonly BytePath[],
  folder: string,
  how: '-al' | '-a',
): boolean {
  // Other systems have another `cp`; git writes the files there, with new times.
  if (paths.length === 0 || process.platform !== 'linux') return true;
  const args = [
    '-0',
    ownProgramPath('cp', top),
    how,
    '--parents',
    ...(how === '-a' ? ['--reflink=auto'] : []),
    '-t',
    folder,
    '--',
  ];
  const options = { cwd: top, stdio: ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'] };
  const { status, error } = startSync('xargs', args, { ...options, input: nulList(paths) });
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  // Single files may fail, such as one removed meanwhile; where `cp` or `xargs` is missing, git writes the files.
  if (status === null && code !== 'ENOENT') throw error ?? new Error('the files could not be copied');
  return status === 0;
}

export type Untracked = {
  /** Absolute paths left out of a copy. */
  readonly leftOut: readonly string[];
  /** Relative paths that only one gate sees. */
  readonly heldOut: readonly BytePath[];
  /** Untracked files that aren't ignored but were requested. */
  readonly seeded: readonly BytePath[];
};

/** Returns those of the paths that are untracked and not ignored. */
export async function untrackedAt(tree: WorkTree, paths: readonly string[]): Promise<BytePath[]> {
  if (paths.length === 0) return [];
  return parsePaths(
    (await objectGit(tree, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths])).stdout,
  ).filter((path) => !path.endsWith('/'));
}

/** Returns ignored files, wholly ignored folders and requested files, without ralph's own and tool caches. */
export async function untrackedEntries(
  tree: WorkTree,
  index: string,
  { leftOut, seeded, heldOut }: Untracked,
): Promise<Ignored> {
  const others = new Set<string>(leftOut.map((path) => bytePath(Buffer.from(relative(tree.top, path)))));
  const ignored = await listUntracked(tree, index, 'ignored');
  const isThere = (path: string) => tryLstat(absolute(tree, path as BytePath)) !== null;
  const entries = ignored.filter(
    (path) =>
      !isOwn(tree, path) &&
      !others.has(path) &&
      !TOOL_CACHES.some((cache) => `/${path}`.endsWith(`/${cache}`)),
  );
  const clean: BytePath[] = [];
  for (const path of entries) {
    if (isInstalled(path, isThere)) clean.push(path);
    else if (isCargoTarget(path, isThere)) clean.push(...(await ofOtherPackages(tree, index, path)));
  }
  return { entries: [...entries, ...seeded], clean: [...clean, ...seeded], heldOut };
}

/** Returns ignored files at paths or git patterns, relative to the top. */
export async function ignoredAt(
  tree: WorkTree,
  index: string,
  paths: readonly string[],
): Promise<BytePath[]> {
  if (paths.length === 0) return [];
  // A pattern that names a folder includes its contents, as in `.gitignore`.
  const patterns = paths.flatMap((path) => [path, `${path.replace(/\/$/, '')}/*`]);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...patterns];
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await objectGit(tree, args, { env });
  return parsePaths(stdout).filter((path) => !isOwn(tree, path) && !path.endsWith('/'));
}

function cachesIn(entries: readonly BytePath[]): BytePath[] {
  return entries.flatMap((entry) =>
    TOOL_CACHES.flatMap((cache) => {
      const [first = '', ...rest] = cache.split('/');
      return rest.length > 0 && `/${entry}`.endsWith(`/${first}`)
        ? [`${entry}/${rest.join('/')}` as BytePath]
        : [];
    }),
  );
}

function stampOf(tree: WorkTree, path: BytePath): string {
  const found = tryLstat(absolute(tree, path));
  return found === null ? path : `${path} ${found.ino} ${found.mtimeNs} ${found.size}`;
}

export function readIfThere(path: string): string | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : null;
}

/** Returns files missing from an index, either ignored or not, without ralph's own; a whole folder is one entry. */
export async function listUntracked(
  tree: WorkTree,
  index: string,
  which: 'ignored' | 'not_ignored',
): Promise<BytePath[]> {
  const ignored = which === 'ignored' ? ['--ignored'] : [];
  const args = ['ls-files', '-z', '--others', ...ignored, '--exclude-standard', '--directory'];
  const { stdout } = await objectGit(tree, args, { env: { GIT_INDEX_FILE: index } });
  return parsePaths(stdout)
    .map((path) => path.replace(/\/$/, '') as BytePath)
    .filter((path) => !isOwn(tree, path));
}

/**
 * Adds ignore rules for untracked installed packages: Python environments, `node_modules`, and links to package
 * folders, which a rule such as `node_modules/` doesn't match. They are never meant to be committed.
 * @param tree With its own view.
 */
export async function ignoreUntrackedPackages(tree: WorkTree): Promise<void> {
  const index = join(tree.gitDir, 'index');
  // An unreadable index is reported by whoever needs it.
  const untracked = await gitOr([], () => listUntracked(tree, index, 'not_ignored'));
  const lines = untracked
    .filter((path) => isInstalledThere(tree, path))
    .map((path) => `${ignoreLine(path)}\n`);
  if (tree.view !== null && lines.length > 0)
    appendFileSync(join(tree.view.folder, 'excludes'), lines.join(''), 'latin1');
}

function isInstalledThere(tree: WorkTree, path: BytePath): boolean {
  const found = tryLstat(absolute(tree, path));
  const isThere = (one: string) => existsSync(join(tree.top, one));
  if (found?.isDirectory() === true) return isEnvironment(printPath(path), isThere);
  if (found?.isSymbolicLink() !== true) return false;
  const isFolder = tryOr(false, () => statSync(absolute(tree, path)).isDirectory());
  return isFolder && holdsPackages(printPath(path), isThere);
}
