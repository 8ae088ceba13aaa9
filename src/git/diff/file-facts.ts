import { posix } from 'node:path';
import type { Snapshot } from '../../domain/change-set.ts';
import type { FileFact } from '../../domain/claim.ts';
import { readObjects } from '../call/git.ts';
import { type BytePath, isWithin, parsePath } from '../call/git-path.ts';
import { absolute, isOwn, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import type { Objects } from '../objects/objects.ts';
import { treeOf } from '../objects/questions.ts';
import type { TreeEntry } from '../objects/tree-entries.ts';

/** A NUL in this many first bytes makes a file binary, as for git. */
const BINARY_PROBE_BYTES = 8000;
/** Larger text files get no line count; in bytes. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/**
 * Returns facts about paths in a snapshot. Paths outside the work tree don't exist. @param seed Layers below a copy's
 * files.
 */
export async function factsOf(
  tree: WorkTree,
  snapshot: Snapshot,
  paths: readonly string[],
  seed: readonly string[] | null = null,
): Promise<readonly FileFact[]> {
  const asked = paths.map((path) => ({ path, inTree: insidePath(path) }));
  const wanted = [...new Set(asked.flatMap(({ inTree }) => (inTree === null ? [] : [inTree])))];
  const objects = await objectsOf(tree);
  const root = await treeOf(tree, snapshot.tree);
  const entries = new Map<BytePath, TreeEntry>();
  const lines = new Map<string, number | null>();
  for (const path of wanted) {
    const entry = await objects.entryAt(root, path);
    if (entry === null) continue;
    entries.set(path, entry);
    const { mode, oid } = entry;
    if (mode.startsWith('100') && !lines.has(oid)) lines.set(oid, await linesOf(objects, oid));
  }
  // Files shown from the checkout are in no snapshot of a copy.
  const shown = tree.instructions?.() ?? [];
  return asked.map(({ path, inTree }) => {
    const entry = inTree === null ? undefined : entries.get(inTree);
    if (entry === undefined && inTree !== null && shown.some((own) => isWithin(inTree, own)))
      return { path, exists: true, ignored: false, lines: null };
    if (entry === undefined)
      return { path, exists: false, ignored: isLeftOut(tree, inTree, seed), lines: null };
    return {
      path,
      exists: true,
      ignored: false,
      lines: entry.mode.startsWith('100') ? (lines.get(entry.oid) ?? null) : null,
    };
  });
}

/** Whether a path exists although the snapshot lacks it. */
function isLeftOut(tree: WorkTree, path: BytePath | null, seed: readonly string[] | null): boolean {
  if (path === null || isOwn(tree, path)) return false;
  const found = tryLstat(absolute(tree, path));
  // Overlay layers represent a removed file by a device with number 0.
  if (found !== null) return !(seed !== null && found.isCharacterDevice() && found.rdev === 0n);
  return seed?.some((top) => tryLstat(absolute({ ...tree, top }, path)) !== null) ?? false;
}

/** Returns texts of wanted files in the tree's order, as many as fit into `maxBytes`. */
export async function textsOf(
  tree: WorkTree,
  treeId: string,
  isWanted: (path: string) => boolean,
  maxBytes: number,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const files = await (await objectsOf(tree)).files(await treeOf(tree, treeId));
  const wanted = files
    .filter(({ mode }) => mode.startsWith('100'))
    .map(({ oid, path }) => ({ oid, path: asText(path) }))
    .filter(({ path }) => isWanted(path));
  if (wanted.length === 0) return [];
  const { objects, cut } = await readObjects(
    tree,
    wanted.map(({ oid }) => oid),
    maxBytes,
  );
  const whole = cut ? objects.slice(0, -1) : objects;
  return whole.flatMap((object, index) =>
    object === null ? [] : [{ path: wanted[index]?.path ?? '', text: object.content.toString('utf8') }],
  );
}

/** Returns a normalised path; `null` when it is empty, absolute, or leads outside. */
function insidePath(path: string): BytePath | null {
  if (path === '' || path.includes('\0') || path.startsWith('/')) return null;
  const bytes = parsePath(path);
  const normal = posix.normalize(bytes).replace(/\/$/, '');
  if (normal === '.' || normal === '..' || normal.startsWith('../') || normal.startsWith('/')) return null;
  return normal as BytePath;
}

async function linesOf(objects: Objects, oid: string): Promise<number | null> {
  const content = (await objects.read(oid, MAX_TEXT_BYTES))?.content;
  return content === undefined || content.length > MAX_TEXT_BYTES ? null : linesIn(content);
}

/** Returns the number of lines; `null` for binary content. */
export function linesIn(content: Buffer): number | null {
  if (content.subarray(0, BINARY_PROBE_BYTES).includes(0)) return null;
  let lines = 0;
  for (let at = content.indexOf(0x0a); at >= 0; at = content.indexOf(0x0a, at + 1)) lines += 1;
  return content.length > 0 && content.at(-1) !== 0x0a ? lines + 1 : lines;
}

function asText(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
