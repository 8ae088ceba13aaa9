import { lstatSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isCargoTarget, isInstalled, TOOL_CACHES } from '../../../ecosystems/index.ts';
import { isAtOrBelow } from '../../../lib/paths.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { ownProgramPath } from '../../programs/start/own-program.ts';
import { startSync } from '../../programs/start/start-program.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath, nulList, pathBytes } from '../call/git-path.ts';
import { absolute, isOwn, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';
import { ofOtherPackages } from './cargo.ts';

/** What git ignores in a checkout. */
export type Ignored = {
  readonly entries: readonly BytePath[];
  /** What a clean copy has of it. */
  readonly clean: readonly BytePath[];
  readonly heldOut: readonly BytePath[];
};

/** How what git ignores at the top is now: another text once one of those files or folders changed. */
export function topStamp(tree: WorkTree, { entries, heldOut }: Ignored): string {
  return [...entries.map((path) => stampOf(tree, path)), ...heldOut.map((path) => `without ${path}`)].join(
    '\n',
  );
}

/** Takes from a layer what copies don't have. */
export function trimLayer(folder: string, { entries, heldOut }: Ignored): void {
  removeIn(folder, heldOut);
  removeIn(folder, cachesIn(entries));
}

/** Removes what lies at paths of a folder. */
export function removeIn(folder: string, paths: readonly BytePath[]): void {
  for (const path of paths) removeTree(Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path)]));
}

export function isHeldOut(path: BytePath, heldOut: readonly BytePath[]): boolean {
  return heldOut.some((one) => isAtOrBelow(path, one));
}

/** A folder that is larger isn't copied, in kB. */
const MOST_KB = 2 * 1024 * 1024;

/** Which of these files and folders can be copied without taking a disk, and which can't. */
export function bySize(
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

/** Copies files and folders of a checkout with modes, links and times; what can't be read is left out, and then it gives false. */
export function copyByList(
  { top }: WorkTree,
  paths: readonly BytePath[],
  folder: string,
  how: '-al' | '-a',
): boolean {
  // Other systems have another `cp`: there git writes the files, with new times.
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
  // It fails for single files, too, such as one that was removed meanwhile; where it is missing, git writes the files.
  if (status === null && code !== 'ENOENT') throw error ?? new Error('the files could not be copied');
  return status === 0;
}

/** What else a copy gets, and doesn't get, of what isn't tracked. */
export type Untracked = {
  /** Absolute paths of files that are none of a copy. */
  readonly leftOut: readonly string[];
  /** Relative to the top: what a gate alone sees. */
  readonly heldOut: readonly BytePath[];
  /** Files that aren't ignored either, and were asked for. */
  readonly seeded: readonly BytePath[];
};

/** Files at or below these paths, relative to the top, that are neither tracked nor ignored. */
export async function untrackedAt(tree: WorkTree, paths: readonly string[]): Promise<BytePath[]> {
  if (paths.length === 0) return [];
  return parsePaths(
    (await objectGit(tree, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths])).stdout,
  ).filter((path) => !path.endsWith('/'));
}

/**
 * Ignored files, folders of which all is ignored, and what was asked for; ralph's own files and caches aren't among them.
 */
export async function untrackedEntries(
  tree: WorkTree,
  index: string,
  { leftOut, seeded, heldOut }: Untracked,
): Promise<Ignored> {
  const others = new Set<string>(leftOut.map((path) => bytePath(Buffer.from(relative(tree.top, path)))));
  const ignored = await listUntracked(tree, index, 'ignored');
  const isThere = (path: string) => lstatQuietly(absolute(tree, path as BytePath)) !== null;
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

/** Ignored files at paths and patterns of git's, relative to the top of a folder. */
export async function ignoredAt(
  tree: WorkTree,
  index: string,
  paths: readonly string[],
): Promise<BytePath[]> {
  if (paths.length === 0) return [];
  // A pattern that names a folder means what is in it, as in a file of ignored paths.
  const patterns = paths.flatMap((path) => [path, `${path.replace(/\/$/, '')}/*`]);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...patterns];
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await objectGit(tree, args, { env });
  return parsePaths(stdout).filter((path) => !isOwn(tree, path) && !path.endsWith('/'));
}

/** Of each folder the caches that would lie in it. */
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
  const found = lstatQuietly(absolute(tree, path));
  return found === null ? path : `${path} ${found.ino} ${found.mtimeNs} ${found.size}`;
}

/** The text of a plain file; `null`: there is none. */
export function readIfThere(path: string): string | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : null;
}

/**
 * What an index doesn't hold of a work tree, without ralph's own files: what git ignores of it, or what it doesn't; a folder of which all is
 * so is one.
 */
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
