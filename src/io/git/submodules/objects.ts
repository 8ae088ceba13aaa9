import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { gitFoldersIn } from '../../box/index.ts';
import { plainText } from '../../files/plain-file.ts';
import { objectGit, objectText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { makeCommit } from '../objects/make-commit.ts';

/** What ralph keeps of submodules, as a repository without a work tree: yours are only read. */
function storeOf({ commonDir }: Pick<WorkTree, 'commonDir'>): string {
  return join(commonDir, 'ralph', 'submodules');
}

/** Where objects of submodules lie that no remote and no checkout of yours gave. */
export function keptObjects(repository: Pick<WorkTree, 'commonDir'>): string {
  return join(storeOf(repository), 'objects');
}

/** Git folders of the submodules that are checked out, or were; not those of linked work trees, nor such in the work tree. */
export function moduleFolders({ commonDir }: Pick<WorkTree, 'commonDir'>): string[] {
  const all = existsSync(join(commonDir, 'modules')) ? gitFoldersIn(commonDir) : [];
  return all.filter((folder) => existsSync(join(folder, 'objects')));
}

/** Their folders of objects. */
export function moduleObjects(repository: Pick<WorkTree, 'commonDir'>): string[] {
  return moduleFolders(repository).map((folder) => join(folder, 'objects'));
}

/** Bytes of a `.git` file that are read. */
const MOST_BYTES = 4096;

/** The git folder of a submodule that you checked out; `null`: there is none. */
export function usersModule(folder: string): string | null {
  const dotGit = join(folder, '.git');
  const found = lstatSync(dotGit, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return dotGit;
  const target = /^gitdir: (.*?)\n*$/s.exec(plainText(dotGit, MOST_BYTES) ?? '')?.[1];
  return target === undefined ? null : resolve(folder, target);
}

/**
 * The repository with what is known of its submodules' objects: new ones go where ralph keeps them.
 *
 * @param more Folders of objects besides.
 */
export function withSubmodules(repository: WorkTree, more: readonly string[] = []): WorkTree {
  const passing = keptObjects(repository);
  mkdirSync(join(passing, 'pack'), { recursive: true, mode: 0o700 });
  return { ...repository, passing, alternates: [...moduleObjects(repository), ...more] };
}

/** Whether a commit and its tree are there. */
export async function holds(tree: WorkTree, commit: string): Promise<boolean> {
  const { code } = await objectGit(tree, ['cat-file', '-e', `${commit}^{tree}`], { answers: [1, 128] });
  return code === 0;
}

/**
 * Keeps a commit of a git folder that an agent wrote, with all that it needs: read as data, and taken where each object is what its name says.
 *
 * @param known A commit whose history is there.
 * @returns false where it isn't whole, or forged.
 */
export async function keepCommit(
  repository: WorkTree,
  commit: string,
  { from, known }: { readonly from: string; readonly known: string | null },
): Promise<boolean> {
  const own = withSubmodules(repository);
  if (await holds(own, commit)) return true;
  const coming = join(storeOf(repository), `coming-${process.pid}`);
  rmSync(coming, { recursive: true, force: true });
  mkdirSync(coming, { recursive: true, mode: 0o700 });
  try {
    const without = known !== null && (await holds(own, known)) ? `^${known}\n` : '';
    const shallow = join(from, 'shallow');
    const env = existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {};
    const all = withSubmodules(repository, [join(from, 'objects')]);
    const pack = ['pack-objects', '--revs', '--quiet', '--delta-base-offset', join(coming, 'pack')];
    await objectGit(all, pack, { input: `${commit}\n${without}`, env });
    const packs = readdirSync(coming).filter((name) => name.endsWith('.pack'));
    for (const name of packs) await objectGit(own, ['index-pack', '--verify', join(coming, name)]);
    // Git finds a pack by its index.
    const names = readdirSync(coming).toSorted((one, other) => rank(one) - rank(other));
    for (const name of names) renameSync(join(coming, name), join(keptObjects(repository), 'pack', name));
    return await holds(own, commit);
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

/** Bytes of a pack that another machine is sent. */
const MOST_SENT = 32 * 1024 * 1024;

/** A commit as another machine takes it, without what `known` has; `null`: it is too large for that, or isn't whole. */
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

/** Takes what `packOf` made elsewhere; false where `known` isn't here, or the commit isn't in it. @throws GitError where it is damaged. */
export async function takePack(
  repository: WorkTree,
  commit: string,
  { known, pack }: { readonly known: string | null; readonly pack: Buffer },
): Promise<boolean> {
  const own = withSubmodules(repository);
  if (await holds(own, commit)) return true;
  if (known !== null && !(await holds(own, known))) return false;
  await objectGit(own, ['index-pack', '--stdin', '--strict'], { input: pack });
  return holds(own, commit);
}

/** A commit that holds what is changed and not committed in a submodule: the same one for the same content. */
export function uncommitted(tree: WorkTree, content: string, head: string | null): Promise<string> {
  return makeCommit(tree, content, head === null ? [] : [head], NOT_COMMITTED, { who: 'ralph', date: 0 });
}

const NOT_COMMITTED = 'ralph snapshot\n';
const SNAPSHOT_ON =
  /^tree .*\nparent ([0-9a-f]+)\nauthor ralph <ralph@localhost> 0 \+0000\n.*\n\nralph snapshot$/;

/** The commit that a submodule is at, where it is in the state that such a commit holds; any other commit is itself. */
export async function headIn(tree: WorkTree, commit: string): Promise<string> {
  const text = await objectText(tree, ['cat-file', 'commit', commit]);
  return SNAPSHOT_ON.exec(text)?.[1] ?? commit;
}

/**
 * Writes a commit into a file that `git fetch` reads, without what `known` has.
 *
 * @returns The name of it in there; `null`: it can't be written.
 */
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
    const without = known !== null && (await holds(tree, known)) ? [`^${known}`] : [];
    await objectGit(tree, ['bundle', 'create', '--quiet', file, name, ...without]);
    return name;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return null;
  }
}

/** The id of the tree of a commit. @throws GitError */
export function treeOfCommit(tree: WorkTree, commit: string): Promise<string> {
  return objectText(tree, ['rev-parse', '--verify', `${commit}^{tree}`]);
}

/** The text of `.gitmodules` in a tree or commit; '' where it has none. */
export async function modulesText(tree: WorkTree, treeish: string): Promise<string> {
  const args = ['cat-file', 'blob', `${treeish}:.gitmodules`];
  const { code, stdout } = await objectGit(tree, args, { answers: [128] });
  return code === 0 ? stdout.toString('utf8') : '';
}

/** The text of `.gitmodules` in a folder that an agent wrote. */
export function modulesTextIn(folder: string): string {
  return plainText(join(folder, '.gitmodules'), MOST_TEXT) ?? '';
}

/** Bytes of a `.gitmodules` that are read. */
const MOST_TEXT = 1024 * 1024;
