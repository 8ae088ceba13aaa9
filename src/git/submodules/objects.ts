import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gitFoldersIn } from 'ralph-box';
import { plainText } from 'ralph-kit/files/plain-file';
import { GitError } from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { makeCommit } from '../objects/make-commit.ts';

/** A repository without a work tree for ralph's copies of submodule objects; yours are only read. */
function storeOf({ commonDir }: Pick<WorkTree, 'commonDir'>): string {
  return join(commonDir, 'ralph', 'submodules');
}

/** Returns the folder with objects of submodules that neither a remote nor a checkout of yours has. */
export function keptObjects(repository: Pick<WorkTree, 'commonDir'>): string {
  return join(storeOf(repository), 'objects');
}

/** Returns git folders of current and former submodules, without linked work trees and those inside the work tree. */
export function moduleFolders({ commonDir }: Pick<WorkTree, 'commonDir'>): string[] {
  const all = existsSync(join(commonDir, 'modules')) ? gitFoldersIn(commonDir) : [];
  return all.filter((folder) => existsSync(join(folder, 'objects')));
}

export function moduleObjects(repository: Pick<WorkTree, 'commonDir'>): string[] {
  return moduleFolders(repository).map((folder) => join(folder, 'objects'));
}

/** Read limit of a `.git` file, in bytes. */
const MOST_BYTES = 4096;

export function usersModule(folder: string): string | null {
  const dotGit = join(folder, '.git');
  const found = lstatSync(dotGit, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return dotGit;
  const target = /^gitdir: (.*?)\n*$/s.exec(plainText(dotGit, MOST_BYTES) ?? '')?.[1];
  return target === undefined ? null : resolve(folder, target);
}

/** Returns the repository with access to submodule objects; new ones go to ralph's store. */
export function withSubmodules(repository: WorkTree, more: readonly string[] = []): WorkTree {
  const passing = keptObjects(repository);
  mkdirSync(join(passing, 'pack'), { recursive: true, mode: 0o700 });
  return { ...repository, passing, alternates: [...moduleObjects(repository), ...more] };
}

export async function hasCommit(tree: WorkTree, commit: string): Promise<boolean> {
  const { code } = await objectGit(tree, ['cat-file', '-e', `${commit}^{tree}`], { answers: [1, 128] });
  return code === 0;
}

/**
 * Keeps a commit with everything it needs from an agent's git folder, read as data and checked against its ids.
 * @param known A commit whose history exists here.
 * @returns false when incomplete or forged.
 */
export async function keepCommit(
  repository: WorkTree,
  commit: string,
  { from, known }: { readonly from: string; readonly known: string | null },
): Promise<boolean> {
  const own = withSubmodules(repository);
  if (await hasCommit(own, commit)) return true;
  const coming = join(storeOf(repository), `coming-${process.pid}`);
  rmSync(coming, { recursive: true, force: true });
  mkdirSync(coming, { recursive: true, mode: 0o700 });
  try {
    const without = known !== null && (await hasCommit(own, known)) ? `^${known}\n` : '';
    const shallow = join(from, 'shallow');
    const env = existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {};
    const all = withSubmodules(repository, [join(from, 'objects')]);
    const pack = ['pack-objects', '--revs', '--quiet', '--delta-base-offset', join(coming, 'pack')];
    await objectGit(all, pack, { input: `${commit}\n${without}`, env });
    const packs = readdirSync(coming).filter((name) => name.endsWith('.pack'));
    for (const name of packs) await objectGit(own, ['index-pack', '--verify', join(coming, name)]);
    // Git finds a pack by its index, which is moved last.
    const names = readdirSync(coming).toSorted((one, other) => rank(one) - rank(other));
    for (const name of names) renameSync(join(coming, name), join(keptObjects(repository), 'pack', name));
    return await hasCommit(own, commit);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return false;
  } finally {
    rmSync(coming, { recursive: true, force: true });
  }
}

function rank(name: string): number {
  return name.endsWith('.idx') ? 1 : 0;
}

/** Limit of a pack sent to another machine, in bytes. */
const MOST_SENT = 32 * 1024 * 1024;

/** Returns a commit as a pack without what `known` has; `null` when too large or incomplete. */
export async function packOf(
  repository: WorkTree,
  commit: string,
  known: string | null,
): Promise<Buffer | null> {
  const input = `${commit}\n${known === null ? '' : `^${known}\n`}`;
  const pack = ['pack-objects', '--revs', '--quiet', '--delta-base-offset', '--stdout'];
  try {
    const { stdout, cut } = await objectGit(withSubmodules(repository), pack, { input, maxBytes: MOST_SENT });
    return cut ? null : stdout;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return null;
  }
}

/** Reads a pack of `packOf`; returns false when `known` or the commit is missing. @throws GitError when damaged. */
export async function takePack(
  repository: WorkTree,
  commit: string,
  { known, pack }: { readonly known: string | null; readonly pack: Buffer },
): Promise<boolean> {
  const own = withSubmodules(repository);
  if (await hasCommit(own, commit)) return true;
  if (known !== null && !(await hasCommit(own, known))) return false;
  await objectGit(own, ['index-pack', '--stdin', '--strict'], { input: pack });
  return hasCommit(own, commit);
}

/** Returns a commit of a submodule's uncommitted content, identical for the same content. */
export function uncommitted(tree: WorkTree, content: string, head: string | null): Promise<string> {
  return makeCommit(tree, content, head === null ? [] : [head], NOT_COMMITTED, { who: 'ralph', date: 0 });
}

const NOT_COMMITTED = 'ralph snapshot\n';
const SNAPSHOT_ON =
  /^tree .*\nparent ([0-9a-f]+)\nauthor ralph <ralph@localhost> 0 \+0000\n.*\n\nralph snapshot$/;

/** Returns the HEAD behind a commit of `uncommitted`; other commits are returned unchanged. */
export async function headIn(tree: WorkTree, commit: string): Promise<string> {
  const text = await objectText(tree, ['cat-file', 'commit', commit]);
  return SNAPSHOT_ON.exec(text)?.[1] ?? commit;
}

/** Writes a commit without what `known` has, for `git fetch`; returns its ref, or `null` on failure. */
export async function bundleCommit(
  repository: WorkTree,
  commit: string,
  { known, file }: { readonly known: string | null; readonly file: string },
): Promise<string | null> {
  const folder = storeOf(repository);
  const name = `refs/kept/${commit}`;
  mkdirSync(join(folder, 'refs', 'kept'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, name), `${commit}\n`);
  const tree = { ...withSubmodules(repository), gitDir: folder, commonDir: folder, view: null };
  try {
    const without = known !== null && (await hasCommit(tree, known)) ? [`^${known}`] : [];
    await objectGit(tree, ['bundle', 'create', '--quiet', file, name, ...without]);
    return name;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return null;
  }
}

/** Returns the tree of a commit. @throws GitError */
export function treeOfCommit(tree: WorkTree, commit: string): Promise<string> {
  return objectText(tree, ['rev-parse', '--verify', `${commit}^{tree}`]);
}

/** Returns the text of `.gitmodules` in a commit; empty without that file. */
export async function modulesText(tree: WorkTree, treeish: string): Promise<string> {
  const args = ['cat-file', 'blob', `${treeish}:.gitmodules`];
  const { code, stdout } = await objectGit(tree, args, { answers: [128] });
  return code === 0 ? stdout.toString('utf8') : '';
}

export function modulesTextIn(folder: string): string {
  return plainText(join(folder, '.gitmodules'), MOST_TEXT) ?? '';
}

/** Read limit of `.gitmodules`, in bytes. */
const MOST_TEXT = 1024 * 1024;
