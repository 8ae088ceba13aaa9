import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { tryOr } from 'ralph-kit/try-or';
import { type BytePath, foldersAbove, pathIn } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { copyByList } from './seed.ts';
import { parseWalk, type Walk } from './walk.ts';

export type LayerContent = {
  /** Paths of the layer's content, relative to the top, with everything below them. */
  readonly paths: readonly BytePath[];
  /** `copied` keeps tools that write in place from reaching the checkout through hard links (`linked`). */
  readonly how: 'linked' | 'copied';
  /** Text from `walk` of these paths; `null` when unavailable, so the layer is made anew. */
  readonly walk: string | null;
  /** Removes from a folder what the layer lacks. */
  readonly trim: (folder: string) => void;
};

export type Layers = ReturnType<typeof openLayers>;

export function openLayers(tree: WorkTree, place: string, isUsed: (slot: string) => boolean) {
  const seenBy = (slot: string, name: string) => join(slot, BELOW, name);
  const slotsThat = (see: string, name: string) =>
    readdirSync(place)
      .map((slot) => join(place, slot))
      .filter((slot) => tryOr(null, () => readlinkSync(seenBy(slot, name))) === see);
  return {
    seenBy,
    /** Removes a slot's layers while nothing runs in its copy, until others are shown. */
    hide: (slot: string) => removeTree(join(slot, BELOW)),
    show: (slot: string, folders: Readonly<Record<string, string>>) => {
      for (const [name, folder] of Object.entries(folders)) {
        const link = seenBy(slot, name);
        mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
        rmSync(link, { force: true });
        symlinkSync(folder, link);
      }
    },
    /** Returns a folder with this content, a new one while a program may see the old layer in a copy. */
    renew: (name: string, content: LayerContent): string => {
      const all = join(place, 'layers', name);
      mkdirSync(all, { recursive: true, mode: 0o700 });
      const made = madeIn(all);
      const same = made.find((folder) => content.walk !== null && walkOf(folder) === content.walk);
      if (same !== undefined) return same;
      const free = made.find((folder) => !slotsThat(folder, name).some(isUsed));
      const last = made.at(-1);
      const folder =
        free ?? join(all, last === undefined ? '1' : String(Number(last.slice(all.length + 1)) + 1));
      const before =
        walkOf(folder) ?? (free === undefined && last !== undefined ? linkedFrom(last, folder) : null);
      // Without this record, an interrupted update would leave an unknown state.
      rmSync(`${folder}.walk`, { force: true });
      const isChanged =
        before !== null && content.walk !== null && change(tree, folder, content, [before, content.walk]);
      if (!isChanged) {
        removeTree(folder);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        copyByList(tree, content.paths, folder, FLAG[content.how]);
      }
      content.trim(folder);
      if (content.walk !== null)
        writeFileSync(`${folder}.walk`, content.walk, { encoding: 'latin1', mode: 0o600 });
      for (const one of made.filter((other) => other !== folder && slotsThat(other, name).length === 0)) {
        rmSync(`${one}.walk`, { force: true });
        removeTree(one);
      }
      return folder;
    },
  };
}

const BELOW = 'below';
const FLAG = { linked: '-al', copied: '-a' } as const;

/** Returns complete layers, oldest first. */
function madeIn(all: string): string[] {
  const numbers = readdirSync(all).map(Number).filter(Number.isInteger);
  return numbers.toSorted((one, other) => one - other).map((number) => join(all, String(number)));
}

function walkOf(folder: string): string | null {
  return existsSync(`${folder}.walk`) ? readFileSync(`${folder}.walk`, 'latin1') : null;
}

/** Hard-links all files of a layer into another one; returns the record of its content, `null` when that failed. */
function linkedFrom(layer: string, folder: string): string | null {
  const seen = walkOf(layer);
  if (seen === null) return null;
  removeTree(folder);
  const { status } = startSync(ownProgramPath('cp', layer), ['-al', '--', layer, folder], {
    stdio: 'ignore',
  });
  return status === 0 ? seen : null;
}

/** Updates a layer from one `walk` to the next; returns false when it has to be made anew. */
function change(
  tree: WorkTree,
  folder: string,
  { how }: LayerContent,
  [before, now]: readonly [string, string],
): boolean {
  const { removed, added } = changesBetween(parseWalk(before), parseWalk(now));
  try {
    for (const path of [...removed, ...added]) removeTree(pathIn(folder, path));
  } catch {
    // A folder without write permission blocks the removal.
    return false;
  }
  return copyByList(tree, added, folder, FLAG[how]);
}

export function changesBetween(
  before: Walk,
  now: Walk,
): { readonly removed: readonly BytePath[]; readonly added: readonly BytePath[] } {
  const topmost = (walk: Walk, other: Walk) => {
    const found = new Set<BytePath>();
    for (const [path, { type, stamp }] of walk) {
      const there = other.get(path);
      if (there?.type !== type || (type !== 'd' && there.stamp !== stamp)) found.add(path);
    }
    return [...found].filter((path) => !foldersAbove(path).some((above) => found.has(above)));
  };
  const added = topmost(now, before);
  const changed = new Set(added);
  return { removed: topmost(before, now).filter((path) => !now.has(path) && !changed.has(path)), added };
}
