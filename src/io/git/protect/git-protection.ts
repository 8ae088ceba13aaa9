import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { GitError } from '../../../domain/ports.ts';
import type { Restored } from '../../../domain/records/iteration.ts';
import { changeOf, contentsOf, KeptFile, keeper, putBack } from '../../protect/kept-file.ts';
import { keepCopy, moveAway } from '../../protect/set-aside.ts';
import { openVault, type Vault } from '../../protect/vault.ts';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import { missingOf } from '../repository/missing-objects.ts';
import { type LooseReader, looseRefs, type RefValue } from '../repository/refs.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { clearFolders, linkedFolders, openShut } from './folders.ts';
import { filesIn, gitFilesOf } from './git-files.ts';
import { type ObjectBackup, objectBackup } from './objects.ts';
import { filesOfPack, isSoundPack, isWholePack } from './packs.ts';
import { branchOf } from './plan-refs.ts';
import { captureReflogs, clearReflogs, hasLostStash, restoreReflogs } from './reflogs.ts';
import { isCommitId, type RefReader, Refs, refReader } from './refs.ts';
import { type RestoredRefs, restoreRefs } from './restore-refs.ts';
import { restoreShallow, shallowPath } from './shallow.ts';
import { type HeadCommits, protectIndex } from './user-index.ts';

/** What steers git, HEAD, refs and their logs, before an agent started. Plain data. */
export const GitManifest = z.object({
  files: z.array(KeptFile),
  folders: z.array(KeptFile),
  refs: Refs,
  reflogs: z.array(KeptFile),
  shallow: KeptFile,
  /** Those of git's folders that are links. */
  linked: z.array(z.string()),
  /** Signature of the user's index; `null`: there is none. */
  index: z.nullable(z.string()),
});
export type GitManifest = z.infer<typeof GitManifest>;

export type RestorePlace = {
  /** Folder of the versions that are replaced: absolute, and relative to `.ralph/`. */
  readonly setAside: string;
  readonly shownAs: string;
  /** Below which name in `refs/ralph/kept/` commits stay reachable. */
  readonly keepUnder: string;
};

export type GitProtection = {
  /** Captures everything; objects are copied. */
  readonly capture: () => Promise<GitManifest>;
  /**
   * Copies objects that were made since, and takes note of refs that ralph itself wrote or (`null`) removed.
   * @throws GitError where what one of them stands at is gone by now.
   */
  readonly follow: (refs: ReadonlyMap<string, RefValue | null>) => Promise<void>;
  /**
   * Puts back what changed.
   * @throws GitError, or the Node error.
   */
  readonly restore: (before: GitManifest, place: RestorePlace) => Promise<Restored[]>;
  /** At the end of a run: nothing is kept any more. */
  readonly forget: () => void;
};

/** @param folder Outside of the repository, for this work tree alone. */
export function gitProtection(
  tree: WorkTree,
  folder: string,
  readLoose: LooseReader = looseRefs(tree),
): GitProtection {
  const vault = openVault(join(folder, 'git'));
  const keep = keeper(vault);
  const findFiles = gitFilesOf(tree);
  const reader = refReader(tree, readLoose, keep, vault);
  const objects = objectBackup(join(tree.commonDir, 'objects'), join(folder, 'objects'));
  const index = protectIndex(tree, join(folder, 'index'));
  const ours = new Map<string, RefValue | null>();
  let linked: readonly string[] | null = null;
  return {
    capture: async () => {
      linked ??= linkedFolders(tree);
      const { files, folders } = await findFiles();
      const refs = await reader.read();
      objects.add();
      ours.clear();
      const before: GitManifest = {
        files: [...files, ...folders.flatMap(filesIn)].map((path) => keep(path, 'git')),
        folders: folders.map((path) => keep(path, 'git')),
        refs,
        reflogs: captureReflogs(tree, keep),
        shallow: keep(shallowPath(tree), 'git'),
        linked: [...linked],
        index: index.capture(),
      };
      vault.retain(new Set(contentsOf([...before.files, ...before.reflogs, before.shallow, refs.packed])));
      return before;
    },
    follow: async (refs) => {
      objects.add();
      const uncopied = [...refs.values()].filter(isCommitId).filter((id) => !objects.holds(id));
      // It may be in a pack.
      const [gone] = await missingOf(tree, uncopied);
      if (gone !== undefined) throw new GitError(`${gone} is gone, which ralph had git keep a moment ago`);
      for (const [name, value] of refs) ours.set(name, value);
    },
    restore: async (before, place) => {
      const { keepUnder } = place;
      const at = { tree, place };
      openShut(
        tree,
        namesOf(tree, before),
        [...before.files, ...before.reflogs].map(({ path }) => path),
      );
      const isStashLost = hasLostStash(before.reflogs, vault);
      // First, as other files lie among them.
      const found = await restoreObjects(at, objects, before);
      found.push(...restoreFiles(at, vault, before));
      if (await restoreShallow(tree, before.shallow, vault))
        found.push({
          kind: 'git',
          path: nameOf(tree, before.shallow.path),
          change: 'modified',
          setAside: null,
        });
      const changed = await index.restore(before.index);
      if (changed !== null) found.push({ kind: 'git', path: '.git/index', change: changed, setAside: null });
      const logs = clearReflogs(before.reflogs, vault);
      const refs = await restoreRefs({ tree, reader, vault, ours, keepUnder }, before.refs);
      found.push(...refs.found);
      for (const { path } of new Set([...logs, ...restoreReflogs(before.reflogs, vault)]))
        found.push({ kind: 'ref', path: nameOf(tree, path), change: 'modified', setAside: null });
      if (isStashLost) found.push({ kind: 'stash', path: 'refs/stash', change: 'deleted', setAside: null });
      const commits = headCommits(reader, before.refs, refs);
      for (const { path, isUndone } of await index.restage(before.index, commits))
        found.push({ kind: 'staged', path, change: isUndone ? 'deleted' : 'modified', setAside: null });
      return found;
    },
    forget: () => {
      objects.remove();
      index.forget();
      rmSync(join(folder, 'git'), { recursive: true, force: true });
    },
  };
}

function headCommits(reader: RefReader, before: Refs, { left, now }: RestoredRefs): HeadCommits {
  return { before: commitOf(before, reader), found: commitOf(left, reader), now: commitOf(now, reader) };
}

/** The commit that HEAD stands for; `null` before the first one, and for what is none. */
function commitOf(refs: Refs, reader: RefReader): string | null {
  const branch = branchOf(refs.head);
  const value = branch === null ? refs.head : reader.valueOf(refs, branch);
  return isCommitId(value) ? value : null;
}

type FilePlace = { readonly tree: WorkTree; readonly place: RestorePlace };

/** Names of refs that may come back, with or without their logs. */
function namesOf(tree: WorkTree, { refs, reflogs }: GitManifest): string[] {
  const logs = reflogs.map(({ path }) => relative(join(tree.commonDir, 'logs'), path));
  return [...Object.keys(refs.loose), ...logs.filter((name) => name.startsWith('refs/'))];
}

async function restoreObjects(
  at: FilePlace,
  objects: ObjectBackup,
  before: GitManifest,
): Promise<Restored[]> {
  const { tree } = at;
  // What was written through a link, before the link goes.
  const { forged, packs } = objects.takeIn();
  const cleared = clearFolders(tree, before.linked, namesOf(tree, before));
  const lying = [...forged];
  for (const pack of packs.filter(isWholePack)) {
    if (await isSoundPack(tree, pack)) objects.accept(pack);
    else lying.push(...filesOfPack(pack));
  }
  const found = lying
    .filter((path) => lstatOrNull(path) !== null)
    .map((path) => takenAway(at, path, 'created'));
  const replaced = objects.bringBack();
  const changed = [...cleared, ...(replaced.length > 0 ? [join(tree.commonDir, 'objects')] : [])];
  return [
    ...found,
    ...changed.map(
      (path): Restored => ({ kind: 'git', path: nameOf(tree, path), change: 'modified', setAside: null }),
    ),
  ];
}

function restoreFiles(at: FilePlace, vault: Vault, before: GitManifest): Restored[] {
  const found: Restored[] = [];
  for (const folder of before.folders) {
    const stat = lstatOrNull(folder.path);
    if (stat === null || stat.isDirectory() || folder.was.kind === 'link') continue;
    found.push(takenAway(at, folder.path, folder.was.kind === 'absent' ? 'created' : 'modified'));
  }
  const known = new Set(before.files.map(({ path }) => path));
  for (const path of before.folders.flatMap((folder) => filesIn(folder.path)))
    if (!known.has(path)) found.push(takenAway(at, path, 'created'));
  const links = before.folders.filter(({ was }) => was.kind === 'link');
  for (const file of [...links, ...before.files]) {
    const change = changeOf(file);
    if (change === null) continue;
    found.push(restoredFile(at, file.path, change, keepCopy));
    putBack(file, vault);
  }
  for (const name of ['refs', 'objects']) mkdirSync(join(at.tree.commonDir, name), { recursive: true });
  return found;
}

/** Keeps what stands there in the folder of replaced versions. */
function restoredFile(
  { tree, place }: FilePlace,
  path: string,
  change: Restored['change'],
  keep: typeof keepCopy,
): Restored {
  const aside = keep(path, flat(tree, path), place.setAside);
  const setAside = aside === null ? null : join(place.shownAs, aside);
  return { kind: 'git', path: nameOf(tree, path), change, setAside };
}

function takenAway(at: FilePlace, path: string, change: Restored['change']): Restored {
  return restoredFile(at, path, change, moveAway);
}

/** For the report: relative to the work tree; of a linked one, in the git folder that it shares. */
function nameOf({ top, commonDir }: WorkTree, path: string): string {
  const inside = relative(top, path);
  return inside.startsWith('..') ? join('.git', relative(commonDir, path)) : inside;
}

/** The name that a copy gets. */
function flat(tree: WorkTree, path: string): string {
  return nameOf(tree, path).replace(/^\.git\//, 'git/');
}
