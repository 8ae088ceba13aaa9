import { readdirSync, readFileSync } from 'node:fs';
import type { ShownCopy } from '../../../domain/box/box.ts';
import { commitTree, objectText, revision } from '../call/git.ts';
import { type BytePath, nulList, pathBytes } from '../call/git-path.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { forceRemove } from '../read/index-content.ts';
import type { Pin, Submodules } from '../read/nested.ts';
import { locate } from '../repository/locate.ts';
import { changedTree } from '../trees/changed-tree.ts';

/**
 * The submodules of a copy: plain files, whose repositories are those of the checkout. What is changed in one stands as a commit that
 * holds the changed files, so that it can be named; nothing of it lands.
 *
 * @param base Id of the tree that the copy stands on. `index`: a file for an index that is made anew each time.
 */
export function copiedSubmodules(
  repository: WorkTree,
  { files, seed }: ShownCopy,
  pin: Pin,
  { index, base }: { readonly index: string; readonly base: () => string },
): Submodules {
  const known = new Map<BytePath, WorkTree>();
  const open = async (path: BytePath): Promise<WorkTree | null> => {
    const found = await locate(absolute(repository, path).toString('utf8'));
    if (!found.ok || found.prefix !== '') return null;
    const inner = await pin({ ...found.tree, ownFolder: null });
    known.set(path, inner);
    return inner;
  };
  return {
    find: (path) => known.get(path) ?? null,
    close: () => undefined,
    identify: async (path, lastKnown) => {
      const upper = absolute({ ...repository, top: files }, path);
      const found = lstatQuietly(upper);
      if (found !== null && !found.isDirectory()) return null;
      // What it is known as may be what an attempt changed.
      const gitlink =
        (await revision(repository, `${base()}:${pathBytes(path).toString('utf8')}`)) ?? lastKnown;
      if (found === null) return gitlink;
      const tops = seed ?? [repository.top];
      const top = tops.find((one) => lstatQuietly(absolute({ ...repository, top: one }, path)) !== null);
      const lower = absolute({ ...repository, top: top ?? repository.top }, path);
      const changed = changedFiles(upper, lower, seed === null);
      if (changed.length === 0) return gitlink;
      const inner = known.get(path) ?? (await open(path));
      if (inner === null) return gitlink;
      const shown = { ...inner, top: upper.toString('utf8') };
      const isGone = (one: BytePath) => lstatQuietly(absolute(shown, one))?.isFile() !== true;
      const tree = await changedTree(shown, index, gitlink, async (git) => {
        await forceRemove(git, changed.filter(isGone));
        const there = changed.filter((one) => !isGone(one));
        await git(['update-index', '--add', '-z', '--stdin'], nulList(there));
      });
      if (tree === (await objectText(inner, ['rev-parse', `${gitlink}^{tree}`]))) return gitlink;
      const dates = { GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' };
      return commitTree(inner, tree, [gitlink], 'ralph snapshot\n', dates);
    },
  };
}

/**
 * Files of a folder that aren't as in another one, and with `isWhole` those that it lacks.
 *
 * @param isWhole All of the folder was copied: what it lacks was removed.
 */
function changedFiles(upper: Buffer, lower: Buffer, isWhole: boolean, folder = ''): BytePath[] {
  const inside = (top: Buffer, path: string) =>
    Buffer.concat([top, Buffer.from('/'), pathBytes(path as BytePath)]);
  const names = (top: Buffer) => {
    const at = folder === '' ? top : inside(top, folder);
    if (lstatQuietly(at)?.isDirectory() !== true) return [];
    return readdirSync(at, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
  };
  const all = new Set([...names(upper), ...(isWhole ? names(lower) : [])]);
  all.delete('.git');
  return [...all].flatMap((name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const above = lstatQuietly(inside(upper, path));
    const below = lstatQuietly(inside(lower, path));
    if (above?.isDirectory() === true) return changedFiles(upper, lower, isWhole, path);
    if (above === null && below?.isDirectory() === true) return changedFiles(upper, lower, isWhole, path);
    const isSame =
      above?.isFile() === true &&
      below?.isFile() === true &&
      above.size === below.size &&
      above.mode === below.mode &&
      (above.mtimeNs === below.mtimeNs ||
        readFileSync(inside(upper, path)).equals(readFileSync(inside(lower, path))));
    return isSame ? [] : [path as BytePath];
  });
}
