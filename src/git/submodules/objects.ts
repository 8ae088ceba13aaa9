import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFoldersIn } from 'ralph-box';
import { plainText } from 'ralph-kit/files/plain-file';
import { objectGit, objectText } from '../call/git.ts';
import { type BytePath, bytePath } from '../call/git-path.ts';
import { gitOr } from '../call/run-git.ts';
import { gitFileTarget, type WorkTree } from '../call/work-tree.ts';
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

export function usersModule(folder: string): string | null {
  const dotGit = join(folder, '.git');
  const isFolder = lstatSync(dotGit, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? dotGit : gitFileTarget(folder);
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
  const taken = gitOr(false, async () => {
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
    return hasCommit(own, commit);
  });
  return taken.finally(() => rmSync(coming, { recursive: true, force: true }));
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
  return gitOr(null, async () => {
    const { stdout, cut } = await objectGit(withSubmodules(repository), pack, { input, maxBytes: MOST_SENT });
    return cut ? null : stdout;
  });
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
  return gitOr(null, async () => {
    const without = known !== null && (await hasCommit(tree, known)) ? [`^${known}`] : [];
    await objectGit(tree, ['bundle', 'create', '--quiet', file, name, ...without]);
    return name;
  });
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

export type Registered = {
  /** Path of the submodule, relative to the folder of `.gitmodules`. */
  readonly path: BytePath;
  /** Name of the submodule; its git folder is `modules/NAME`. */
  readonly name: string;
  /** Address of the submodule, which may be relative to the outer repository's. */
  readonly url: string;
};

const SUBMODULES = '^submodule\\..*\\.(path|url)$';

/** Parses `.gitmodules`; empty when git can't read it. */
export async function registeredIn(tree: WorkTree, text: string): Promise<Registered[]> {
  if (text.trim() === '') return [];
  const args = ['config', '--file', '-', '-z', '--get-regexp', SUBMODULES];
  const { stdout } = await objectGit(tree, args, { input: text, answers: [1, 3, 128] });
  const known = new Map<string, { path?: string; url?: string }>();
  for (const entry of stdout.toString('utf8').split('\0')) {
    const [key = '', ...lines] = entry.split('\n');
    const name = key.slice('submodule.'.length, key.lastIndexOf('.'));
    const one = known.get(name) ?? {};
    known.set(name, one);
    if (key.endsWith('.path')) one.path = lines.join('\n');
    else if (key.endsWith('.url')) one.url = lines.join('\n');
  }
  return [...known].flatMap(([name, { path = '', url = '' }]) =>
    isPlain(name) && isPlain(path) && url !== '' && !url.startsWith('-')
      ? [{ name, url, path: bytePath(Buffer.from(path)) }]
      : [],
  );
}

/** Git also refuses names and paths that lead elsewhere. */
function isPlain(path: string): boolean {
  return (
    path !== '' && path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()))
  );
}

/** Resolves a submodule's address relative to the outer repository's. @see git-submodule(1), `add` */
export function resolvedUrl(url: string, around: string): string {
  if (!/^\.\.?\//.test(url)) return url;
  let base = around.replace(/\/+$/, '');
  let rest = url;
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) base = base.replace(/[/:][^/:]*$/, '');
    rest = rest.replace(/^\.\.?\//, '');
  }
  return `${base}/${rest}`;
}
