import type { MountMode } from 'ralph-box/protocol';
import { builtFrom, roleOf } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import { objectGit } from '../call/git.ts';
import { type BytePath, foldersAbove, printPath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { parsePaths } from '../read/parse-status.ts';
import type { Layers } from './below.ts';
import { type Ignored, isHeldOut, removeIn, trimLayer } from './seed.ts';
import { type BroughtFiles, copyIgnored } from './slot.ts';
import { parseWalk, sizeOf, type Walk, walk, walkText, writtenAt } from './walk.ts';

/** Larger files are hard-linked, as disks lack room for many copies; in bytes. `kept`: paths that you name. */
const MOST_BYTES = { kept: 2 * 1024 ** 3, rest: 256 * 1024 ** 2 };

type Site = {
  readonly tree: WorkTree;
  readonly layers: Layers;
  /** Absolute paths of the slot, its files and its index. */
  readonly folder: string;
  readonly files: string;
  readonly index: string;
  readonly showing: MountMode;
  /** Result of the last call for this slot; absent when unknown. */
  readonly previous: Had | undefined;
};

export type Had = {
  readonly text: string | null;
  readonly strays: ReadonlySet<string>;
};

/** Files that a clean copy has besides installed packages. */
export type KeptIgnored = {
  readonly paths: readonly BytePath[];
  /** Commit that the copy is based on. */
  readonly commit: string;
};

export const CLEAN_LAYERS = ['kept', 'kept-large', 'installed'];
export const WHOLE_LAYERS = ['rest', 'large', 'installed'];

/**
 * Brings ignored files as the checkout has them now. @param kept For a clean copy; `null`: the copy gets everything.
 */
export async function bringIgnored(
  site: Site,
  ignored: Ignored,
  kept: KeptIgnored | null,
): Promise<BroughtFiles & Had> {
  const { tree, layers, folder, files, showing, previous } = site;
  const others = kept?.paths ?? ignored.entries.filter((path) => !ignored.clean.includes(path));
  const text = walk(tree, others, 'content');
  const walked = parseWalk(text ?? '');
  const isAsBefore = previous !== undefined && previous.text === text;
  const built = [...walked.values()]
    .flatMap((one) => (one.type === 'f' ? writtenAt(one) : []))
    .toSorted((one, other) => one - other);
  const newest = built.at(-1);
  const { strays, isOfOthers } =
    newest === undefined || (kept === null && isAsBefore)
      ? { strays: previous?.strays ?? new Set<string>(), isOfOthers: false }
      : await otherSources(site, { commit: kept?.commit ?? null, newest, ignored: notIn(ignored, others) });
  const isLeftOut = (path: BytePath) => strays.has(builtFrom(path) ?? '');
  const doubtful = [...walked.keys()].filter(isLeftOut);
  const had = { text, strays, built, isOfOthers };
  if (showing !== 'layers') {
    const unlessLarge = kept === null ? ignored.entries : ignored.clean;
    const all = { unlessLarge, always: kept?.paths ?? [] };
    const leftOut = copyIgnored(tree, files, all, ignored, showing === 'elsewhere');
    removeIn(files, doubtful);
    return { ...had, leftOut, isNew: true };
  }
  const trim = (layer: string) => {
    trimLayer(layer, ignored);
    removeIn(layer, doubtful);
  };
  const isOut = (path: BytePath) => isHeldOut(path, ignored.heldOut);
  const linked = (paths: readonly BytePath[]) => {
    const names = walk(tree, paths, 'names');
    // Held-out paths change, so a path may be shown now and hidden later.
    const isWhole = names === null || ignored.heldOut.length === 0;
    const text = isWhole ? names : walkText(parseWalk(names), (path) => !isOut(path));
    return { paths, how: 'linked', walk: text, trim } as const;
  };
  const [rest = '', large = '', installed = ''] = kept === null ? WHOLE_LAYERS : CLEAN_LAYERS;
  const big = largeOf(others, walked, kept === null ? MOST_BYTES.rest : MOST_BYTES.kept);
  const small = others.filter((path) => !big.has(path));
  const isCopied = (path: BytePath) =>
    !isLeftOut(path) && !isOut(path) && ![path, ...foldersAbove(path)].some((one) => big.has(one));
  const copied = text === null ? null : walkText(walked, isCopied);
  layers.hide(folder);
  layers.show(folder, {
    [rest]: layers.renew(rest, { paths: small, how: 'copied', walk: copied, trim }),
    [large]: layers.renew(large, linked([...big])),
    [installed]: layers.renew(installed, linked(ignored.clean)),
  });
  return { ...had, leftOut: [], isNew: !isAsBefore };
}

/** Returns the paths that are larger than `most` bytes with everything below them. */
function largeOf(paths: readonly BytePath[], seen: Walk, most: number): ReadonlySet<BytePath> {
  const sizes = new Map<BytePath, number>(paths.map((path) => [path, 0]));
  for (const [path, one] of seen) {
    const top = [path, ...foldersAbove(path)].find((above) => sizes.has(above));
    if (top !== undefined && one.type === 'f') sizes.set(top, (sizes.get(top) ?? 0) + sizeOf(one));
  }
  return new Set([...sizes].flatMap(([path, size]) => (size > most ? path : [])));
}

/** Code files that the checkout has or had and a copy lacks; build results may depend on them. */
type Others = {
  /** Names without extensions that no file of the copy has. */
  readonly strays: ReadonlySet<string>;
  readonly isOfOthers: boolean;
};

/** Returns ignored code beside tracked files that a clean copy lacks; wholly ignored folders hold build results. */
function notIn({ entries, clean }: Ignored, kept: readonly BytePath[]): readonly BytePath[] {
  const there = new Set<BytePath>([...clean, ...kept]);
  return entries.filter((path) => !there.has(path) && isCode(path));
}

/** `newest`: when the last build result was written, in seconds. `ignored`: files that the copy lacks. */
async function otherSources(
  { tree, index }: Site,
  {
    commit,
    newest,
    ignored,
  }: { readonly commit: string | null; readonly newest: number; readonly ignored: readonly BytePath[] },
): Promise<Others> {
  const list = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    parsePaths((await objectGit(tree, ['ls-files', '-z', ...args], { env })).stdout).filter(isCode);
  const inCopy = new Set(await list([], { GIT_INDEX_FILE: index }));
  const untracked = await list(['--others', '--exclude-standard']);
  const removed = commit === null ? [] : await removedIn(tree, commit);
  const names = new Set([...inCopy].map(stem));
  // An ignored file named like a file of the copy may be built from it. An agent's copy has all of them.
  const unknown = commit === null ? [] : ignored.filter((path) => !names.has(stem(path)));
  const strays = [...untracked, ...unknown, ...removed.map(({ path }) => path)].map(stem);
  const there = commit === null ? [] : [...(await list(['--cached'])), ...untracked, ...unknown];
  return {
    strays: new Set(strays.filter((name) => !names.has(name))),
    isOfOthers:
      there.some((path) => !inCopy.has(path)) ||
      removed.some(({ path, at }) => at >= Math.floor(newest) && !inCopy.has(path)),
  };
}

/** Number of commits searched: leftovers of files removed earlier have been noticed by now. */
const COMMITS = 100;

/** Returns code files that recent commits removed, with the time in seconds. */
async function removedIn(tree: WorkTree, commit: string) {
  const args = ['log', '-z', '-n', `${COMMITS}`, '--format=%x01%ct', '--name-only', '--no-renames'];
  const { stdout } = await objectGit(tree, [...args, '--diff-filter=D', commit, '--']);
  const removed: { path: BytePath; at: number }[] = [];
  let at = 0;
  for (const field of stdout.toString('latin1').split('\0')) {
    const [path = '', time] = field.replace(/^\n/, '').split('\u0001');
    if (isCode(path as BytePath)) removed.push({ path: path as BytePath, at });
    if (time !== undefined) at = Number(time);
  }
  return removed;
}

function isCode(path: BytePath): boolean {
  return CODE.has(roleOf(printPath(path)));
}

const CODE: ReadonlySet<string> = new Set(['source', 'test', 'test_support']);

function stem(path: string): string {
  return nameOf(path).split('.')[0] ?? '';
}
