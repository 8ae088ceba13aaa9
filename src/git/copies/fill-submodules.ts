import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BOX_SUBMODULES } from 'ralph-box/protocol';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { configText, lastValue, settingsForAgents } from 'ralph-kit/formats/git-config';
import { isAtOrBelow } from 'ralph-kit/paths';
import { tryOr } from 'ralph-kit/try-or';
import { copyIndex, indexGit, objectGit } from '../call/git.ts';
import { type BytePath, pathBytes, pathIn, printPath } from '../call/git-path.ts';
import { localSettings } from '../call/settings.ts';
import { absolute, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { GITLINK } from '../objects/tree-entries.ts';
import { otherPaths, readEntries, writeDiffering } from '../read/index-content.ts';
import { readRefs } from '../repository/refs.ts';
import {
  hasCommit,
  headIn,
  keepCommit,
  keptObjects,
  moduleObjects,
  modulesText,
  type Registered,
  registeredIn,
  resolvedUrl,
  usersModule,
  withSubmodules,
} from '../submodules/objects.ts';
import { OF_COPY } from './agent-git.ts';
import { copyByList } from './seed.ts';

/** A submodule of a copy with its own git folder, at a commit. */
export type Filled = {
  readonly path: BytePath;
  readonly commit: string;
  /** Git folder, relative to the copy's git folder. */
  readonly module: string;
  readonly url: string;
  /** Git folder in the checkout; `null` when not checked out. */
  readonly users: string | null;
};

type Link = { readonly path: BytePath; readonly commit: string };

type Place = {
  readonly files: string;
  /** The slot's folder. */
  readonly folder: string;
};

export function indexOf(folder: string, path: BytePath): string {
  return join(folder, 'submodules', encodeURIComponent(path), 'index');
}

const noteOf = (folder: string) => join(folder, 'submodules', 'links.json');

/** Returns the submodule pointers of the last tree in a copy. @param folder The slot's folder. */
export function submodulePointers(folder: string): ReadonlyMap<BytePath, string> {
  return tryOr(new Map(), () => new Map(JSON.parse(readFileSync(noteOf(folder), 'utf8'))));
}

/** Returns the remote address to which submodule addresses may be relative. */
export async function baseUrl(tree: WorkTree): Promise<string> {
  const { code, stdout } = await objectGit(tree, ['config', '--get', 'remote.origin.url'], { answers: [1] });
  return code === 0 ? stdout.toString('utf8').trim() : tree.top;
}

/**
 * Brings a copy's submodules to the commits of a tree: by copying the checkout's files (with times and ignored files)
 * when it is at the same commit, otherwise from objects. A commit that exists nowhere leaves an empty folder, as
 * after a clone. Pointers without an entry in `.gitmodules` get the checkout's files.
 */
export async function fillSubmodules(
  repository: WorkTree,
  place: Place,
  treeId: string,
  links: readonly Link[],
): Promise<Filled[]> {
  const note = noteOf(place.folder);
  rmSync(note, { force: true });
  if (links.length === 0) return [];
  mkdirSync(dirname(note), { recursive: true, mode: 0o700 });
  writeFileAtomic(note, JSON.stringify(links.map(({ path, commit }) => [path, commit])));
  const objects = withSubmodules(repository);
  const text = await modulesText(repository, treeId);
  const parent = { url: await baseUrl(repository), prefix: '', modules: 'modules' };
  return fillLevel(repository, objects, place, {
    links,
    registered: await registeredIn(objects, text),
    parent,
  });
}

type Level = {
  readonly links: readonly Link[];
  readonly registered: readonly Registered[];
  readonly parent: {
    readonly url: string;
    /** Empty, or a path with a trailing slash. */
    readonly prefix: string;
    readonly modules: string;
  };
};

async function fillLevel(
  repository: WorkTree,
  objects: WorkTree,
  place: Place,
  { links, registered, parent }: Level,
): Promise<Filled[]> {
  const filled: Filled[] = [];
  for (const link of links) {
    const path = `${parent.prefix}${link.path}` as BytePath;
    const top = pathIn(place.files, path);
    const known = registered.find((one) => one.path === link.path);
    const users = usersModule(absolute(repository, path).toString('utf8'));
    const head =
      users === null ? null : (await readRefs({ ...repository, gitDir: users, commonDir: users })).head;
    const isHeld = known !== undefined && (await isAtHand(repository, objects, link.commit, users));
    if (known === undefined || head === link.commit) mirror(repository, place.files, path);
    else removeTree(top);
    mkdirSync(top, { recursive: true });
    if (!isHeld) continue;
    const tree = { ...objects, top: top.toString('utf8') };
    const commit = await headIn(objects, link.commit);
    const nested = await writeFiles(tree, indexOf(place.folder, path), { files: link.commit, head: commit });
    const url = resolvedUrl(known.url, parent.url);
    const module = `${parent.modules}/${known.name}`;
    filled.push({ path, commit, module, url, users });
    if (nested.length === 0) continue;
    const inner = await registeredIn(objects, await modulesText(objects, link.commit));
    const below = { url, prefix: `${path}/`, modules: `${module}/modules` };
    filled.push(
      ...(await fillLevel(repository, objects, place, { links: nested, registered: inner, parent: below })),
    );
  }
  return filled;
}

/** Whether a commit can be read, also in a box, where ralph keeps needed objects of your hidden git folder. */
async function isAtHand(
  repository: WorkTree,
  objects: WorkTree,
  commit: string,
  users: string | null,
): Promise<boolean> {
  if (await hasCommit(objects, commit)) return true;
  return users !== null && (await keepCommit(repository, commit, { from: users, known: null }));
}

/** Writes a commit's files and HEAD's index, and removes other unignored files. Returns nested submodules. */
async function writeFiles(
  tree: WorkTree,
  index: string,
  { files: commit, head }: { readonly files: string; readonly head: string },
): Promise<Link[]> {
  mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
  const git = indexGit({ kind: 'private-index', tree, index });
  rmSync(`${index}.lock`, { force: true });
  await git(['read-tree', '--reset', commit]);
  await writeDiffering(git);
  for (const path of await otherPaths(git)) removeTree(absolute(tree, path.replace(/\/$/, '') as BytePath));
  const entries = await readEntries(git);
  if (head !== commit) await git(['read-tree', '--reset', head]);
  return entries.filter(({ mode }) => mode === GITLINK).map(({ path, oid }) => ({ path, commit: oid }));
}

/** Makes a copy's folder equal to the checkout's, without git folders; equal folders stay. */
function mirror(repository: WorkTree, files: string, path: BytePath): void {
  const [to, from] = [pathIn(files, path), absolute(repository, path)];
  if (tryLstat(to) !== null && changedFiles(to, from).length === 0) return;
  removeTree(to);
  copyByList(repository, [path], files, '-a');
  removeTree(Buffer.concat([to, Buffer.from('/.git')]));
}

export function changedFiles(one: Buffer, other: Buffer, folder = ''): BytePath[] {
  const at = (top: Buffer, path: string) =>
    Buffer.concat([top, Buffer.from('/'), pathBytes(path as BytePath)]);
  const names = (top: Buffer) => {
    const found = folder === '' ? top : at(top, folder);
    if (tryLstat(found)?.isDirectory() !== true) return [];
    return readdirSync(found, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
  };
  const all = new Set([...names(one), ...names(other)]);
  all.delete('.git');
  return [...all].flatMap((name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const [first, second] = [tryLstat(at(one, path)), tryLstat(at(other, path))];
    if (first?.isDirectory() === true && second?.isDirectory() === true)
      return changedFiles(one, other, path);
    if (
      first?.isSymbolicLink() === true &&
      second?.isSymbolicLink() === true &&
      first.mtimeNs === second.mtimeNs
    )
      return [];
    const isSame =
      first?.isFile() === true &&
      second?.isFile() === true &&
      first.size === second.size &&
      first.mode === second.mode &&
      (first.mtimeNs === second.mtimeNs || readFileSync(at(one, path)).equals(readFileSync(at(other, path))));
    return isSame ? [] : [path as BytePath];
  });
}

type Folder = Place & {
  readonly git: string;
  readonly isBoxed: boolean;
};

/** Gives each submodule its own git folder with branches and settings without credentials; objects are yours. */
export async function makeModules(
  repository: WorkTree,
  filled: readonly Filled[],
  place: Folder,
): Promise<void> {
  const objects = [keptObjects(repository), ...moduleObjects(repository)];
  for (const { path, commit, module, url, users } of filled) {
    const folder = join(place.git, module);
    for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    const seen = objects.flatMap((one) => (place.isBoxed ? (inBox(repository, one) ?? []) : one));
    writeFileSync(join(folder, 'objects/info/alternates'), seen.map((one) => `${one}\n`).join(''));
    writeFileSync(join(folder, 'HEAD'), `${commit}\n`);
    const name = printPath(path);
    const up = '../'.repeat(module.split('/').length + 1);
    const own = users === null ? null : { ...repository, gitDir: users, commonDir: users, view: null };
    const refs = own === null ? [] : [...(await readRefs(own)).refs];
    const shown = refs.filter(([ref]) => /^refs\/(?:heads|remotes|tags)\//.test(ref));
    writeFileSync(join(folder, 'packed-refs'), shown.map(([ref, id]) => `${id} ${ref}\n`).join(''));
    const settings = own === null ? remote(url) : settingsForAgents(await localSettings(own));
    const format =
      lastValue(
        [...settings].map((one) => ({ scope: '', ...one })),
        'core.repositoryformatversion',
      ) ?? '0';
    const all = [
      { key: 'core.repositoryformatversion', value: format },
      ...settings,
      ...OF_COPY,
      { key: 'core.worktree', value: Buffer.from(`${up}${name}`).toString('latin1') },
    ];
    writeFileSync(join(folder, 'config'), configText(all), 'latin1');
    if (users !== null && existsSync(join(users, 'shallow')))
      copyFileSync(join(users, 'shallow'), join(folder, 'shallow'));
    copyIndex(indexOf(place.folder, path), join(folder, 'index'));
    const dotGit = Buffer.concat([pathIn(place.files, path), Buffer.from('/.git')]);
    if (lstatSync(dotGit, { throwIfNoEntry: false })?.isFile() !== true) removeTree(dotGit);
    writeFileSync(dotGit, `gitdir: ${'../'.repeat(name.split('/').length)}.git/${module}\n`);
  }
}

function remote(url: string) {
  return [
    { key: 'remote.origin.url', value: url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1') },
    { key: 'remote.origin.fetch', value: '+refs/heads/*:refs/remotes/origin/*' },
  ];
}

/** Returns the path of submodule objects in a copy's box; `null` when not visible. */
function inBox(repository: WorkTree, objects: string): string | null {
  if (objects === keptObjects(repository)) return BOX_SUBMODULES.kept;
  const modules = join(repository.commonDir, 'modules');
  return isAtOrBelow(objects, modules) ? `${BOX_SUBMODULES.modules}${objects.slice(modules.length)}` : null;
}
