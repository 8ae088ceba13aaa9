import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Showing } from '../../../domain/box/box.ts';
import { roleOf } from '../../../lib/code/file-role.ts';
import { nameOf } from '../../../lib/paths.ts';
import { builtFrom } from '../../../lib/scope/tool-outputs.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, foldersAbove, printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';
import type { Layers } from './below.ts';
import { copyByList, type Ignored, readIfThere, removeIn, trimLayer } from './seed.ts';
import { type Brought, copyIgnored } from './slot.ts';
import { parseWalk, sizeOf, type Walk, walk, walkText, writtenAt } from './walk.ts';

/** A file or folder that is larger gets second names: no disk has room for many copies of it. In bytes. */
const MOST_BYTES = 512 * 1024 * 1024;

type Site = {
  readonly tree: WorkTree;
  /** Holds the slots. */
  readonly place: string;
  readonly layers: Layers;
  /** The slot's, absolute, and by which its files are tracked. */
  readonly folder: string;
  readonly files: string;
  readonly index: string;
  readonly showing: Showing;
  /** What this gave for the slot before; absent: that isn't known. */
  readonly before: Had | undefined;
};

/** What a slot has of what git ignores. */
export type Had = {
  readonly text: string | null;
  readonly strays: ReadonlySet<string>;
};

/** Layers that a copy sees, the uppermost first. */
export const CLEAN_LAYERS = ['kept', 'kept-large', 'installed'];
export const WHOLE_LAYERS = ['rest', 'large', 'installed'];

/**
 * Brings into a copy what git ignores, as the checkout has it now.
 *
 * @param kept Of a clean copy: the files that it has beside what is installed; `null`: it has everything.
 */
export async function bringIgnored(
  site: Site,
  ignored: Ignored,
  kept: readonly BytePath[] | null,
): Promise<Brought & Had> {
  const { tree, layers, folder, files, showing, before } = site;
  const others = kept ?? ignored.entries.filter((path) => !ignored.clean.includes(path));
  const text = walk(tree, others, 'content');
  const seen = parseWalk(text ?? '');
  const isAsBefore = before !== undefined && before.text === text;
  const { strays, isOfOthers } =
    seen.size === 0 || (kept === null && isAsBefore)
      ? { strays: before?.strays ?? new Set<string>(), isOfOthers: false }
      : await otherSources(site, text, kept !== null);
  const isLeftOut = (path: BytePath) => strays.has(builtFrom(path) ?? '');
  const doubtful = [...seen.keys()].filter(isLeftOut);
  const built = [...seen.values()]
    .flatMap((one) => (one.type === 'f' ? writtenAt(one) : []))
    .toSorted((one, other) => one - other);
  const had = { text, strays, built, isOfOthers };
  if (showing !== 'layers') {
    const all = kept === null ? ignored.entries : ignored.clean;
    const leftOut = copyIgnored(tree, files, all, ignored, showing === 'elsewhere');
    copyByList(tree, kept ?? [], files, '-a');
    removeIn(files, doubtful);
    return { ...had, leftOut, isNew: true };
  }
  const trim = (layer: string) => {
    trimLayer(layer, ignored);
    removeIn(layer, doubtful);
  };
  const linked = (paths: readonly BytePath[]) =>
    ({ paths, how: 'linked', walk: walk(tree, paths, 'names'), trim }) as const;
  const [rest = '', large = '', installed = ''] = kept === null ? WHOLE_LAYERS : CLEAN_LAYERS;
  const big = largeOf(others, seen);
  const small = others.filter((path) => !big.has(path));
  const isCopied = (path: BytePath) =>
    !isLeftOut(path) && ![path, ...foldersAbove(path)].some((one) => big.has(one));
  const copied = text === null ? null : walkText(seen, isCopied);
  layers.show(folder, {
    [rest]: layers.renew(rest, { paths: small, how: 'copied', walk: copied, trim }),
    [large]: layers.renew(large, linked([...big])),
    [installed]: layers.renew(installed, linked(ignored.clean)),
  });
  return { ...had, leftOut: [], isNew: !isAsBefore };
}

/** Which of these are larger than what is copied, with all that lies in them. */
function largeOf(paths: readonly BytePath[], seen: Walk): ReadonlySet<BytePath> {
  const sizes = new Map<BytePath, number>(paths.map((path) => [path, 0]));
  for (const [path, one] of seen) {
    const top = [path, ...foldersAbove(path)].find((above) => sizes.has(above));
    if (top !== undefined && one.type === 'f') sizes.set(top, (sizes.get(top) ?? 0) + sizeOf(one));
  }
  return new Set([...sizes].flatMap(([path, size]) => (size > MOST_BYTES ? path : [])));
}

/**
 * What the checkout has of code and a copy hasn't: what was built may be of it.
 *
 * @param remembers What it had when the same was built counts as well.
 * @returns Names, without endings, of such files that aren't tracked and that no file of the copy has, and whether there is any such file.
 */
async function otherSources(
  { tree, place, index }: Site,
  built: string | null,
  remembers: boolean,
): Promise<{ readonly strays: ReadonlySet<string>; readonly isOfOthers: boolean }> {
  const list = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
    const { stdout } = await objectGit(tree, ['ls-files', '-z', ...args], { env });
    return parsePaths(stdout).filter((path) => CODE.has(roleOf(printPath(path))));
  };
  const inCopy = new Set(await list([], { GIT_INDEX_FILE: index }));
  const untracked = await list(['--others', '--exclude-standard'], {});
  const names = new Set([...inCopy].map(stem));
  const strays = new Set(untracked.filter((path) => !inCopy.has(path)).map(stem));
  const there = remembers ? withRemembered(place, built, [...(await list([], {})), ...untracked]) : [];
  return {
    strays: new Set([...strays].filter((name) => !names.has(name))),
    isOfOthers: there.some((path) => !inCopy.has(path)),
  };
}

const CODE: ReadonlySet<string> = new Set(['source', 'test', 'test_support']);

function stem(path: string): string {
  return nameOf(path).split('.')[0] ?? '';
}

/** These paths, with those of before as long as nothing is built anew; from now on these are remembered. */
function withRemembered(
  place: string,
  built: string | null,
  paths: readonly BytePath[],
): readonly BytePath[] {
  const file = join(place, 'sources.json');
  const stamp = createHash('sha256')
    .update(built ?? '')
    .digest('hex');
  const known = tryOr(null, () => Remembered.parse(JSON.parse(readIfThere(file) ?? '')));
  const before = known?.stamp === stamp ? known.paths : [];
  const all = [...new Set([...before, ...paths])] as BytePath[];
  if (all.length !== before.length)
    writeFileAtomic(file, JSON.stringify({ stamp, paths: all }), { mode: 0o600 });
  return all;
}

const Remembered = z.object({ stamp: z.string(), paths: z.array(z.string()) });
