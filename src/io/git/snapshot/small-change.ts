import { fileSignature, isSettledFile, lstatOrNull, readPlainFile } from '../../store/files/plain-file.ts';
import { isSystemError } from '../../store/store-error.ts';
import { type BytePath, foldersAbove } from '../call/git-path.ts';
import { isLoose, storeObject } from '../repository/loose-objects.ts';
import { absolute, fileMode, type WorkTree } from '../repository/work-tree.ts';
import { isConverting } from '../view/as-is.ts';
import { openComposer, type Placed } from './composer.ts';

/** Files and bytes that may differ from the private index before git brings it up to date. */
const MOST_FILES = 64;
const MOST_BYTES = 1024 * 1024;
const CR = 0x0d;

type Differing = { readonly add: readonly BytePath[]; readonly remove: readonly BytePath[] };

/**
 * The tree of a work tree that differs from a known one in a few plain files, stored without git: two of its processes
 * would take longer than all else between two agents.
 *
 * @returns `null` where git has to store it: too much differs, or not as it is on the disk.
 */
export type SmallChanges = (base: string, differing: Differing) => Promise<string | null>;

type Stored = { readonly signature: string; readonly placed: NonNullable<Placed>; readonly bytes: number };

/** Reads a file again only where it isn't as it was. */
export function openSmallChanges(tree: WorkTree): SmallChanges {
  const compose = openComposer(tree);
  let stored = new Map<BytePath, Stored>();
  const store = (path: BytePath, room: number, base: string): Stored | null => {
    const place = absolute(tree, path);
    const stat = lstatOrNull(place);
    const signature = stat === null || !isSettledFile(stat) ? '' : fileSignature(stat);
    const before = stored.get(path);
    const isSame = before !== undefined && before.signature !== '' && before.signature === signature;
    // Git may have pruned it.
    if (isSame && isLoose(tree, before.placed.oid)) return before;
    const found = readPlainFile(place, room);
    if (found.kind !== 'file' || found.bytes.includes(CR)) return null;
    const oid = storeObject(tree, 'blob', found.bytes, base);
    return { signature, placed: { mode: fileMode(found), oid }, bytes: found.bytes.length };
  };
  return async (base, { add, remove }) => {
    if (tree.view?.storesAsIs !== true || add.length + remove.length > MOST_FILES) return null;
    if ([...add, ...remove].some((path) => /\n|(?:^|\/)\.gitattributes$/.test(path))) return null;
    try {
      if (haveConversions(tree, add)) return null;
      const now = new Map<BytePath, Stored>();
      let room = MOST_BYTES;
      for (const path of add) {
        const one = store(path, room, base);
        if (one === null) return null;
        now.set(path, one);
        room -= one.bytes;
      }
      stored = now;
      const gone = remove.map((path): [BytePath, Placed] => [path, null]);
      const there = [...now].map(([path, { placed }]): [BytePath, Placed] => [path, placed]);
      return await compose(base, new Map([...gone, ...there]));
    } catch (error) {
      // Git says what is wrong.
      if (!isSystemError(error)) throw error;
      return null;
    }
  };
}

/** Whether attributes in the work tree may change what is stored of these files. */
function haveConversions(tree: WorkTree, paths: readonly BytePath[]): boolean {
  const folders = new Set<string>(['', ...paths.flatMap(foldersAbove)]);
  return [...folders].some((folder) => {
    const found = readPlainFile(absolute(tree, `${folder}/.gitattributes` as BytePath));
    return found.kind === 'file' ? isConverting(found.bytes) : found.kind !== 'absent';
  });
}
