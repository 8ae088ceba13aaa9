import { GitError } from '../../../domain/ports.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { isGenuine, looseFile, readTreeObject } from '../repository/loose-objects.ts';

/**
 * Makes sure that what differs between two trees is read from objects that are what their names say, where they lie in
 * files of their own: without a box an agent can write into those, and git wouldn't notice. What is in packs is believed.
 *
 * @throws GitError naming the file.
 */
export function proveDiffering(tree: WorkTree, from: string, to: string): void {
  const compare = (one: string | null, other: string | null): void => {
    if (one === other) return;
    const [before, after] = [one, other].map((id) => (id === null ? null : provenFolder(tree, id)));
    for (const name of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      const sides = [before?.get(name), after?.get(name)];
      if (sides[0]?.oid === sides[1]?.oid) continue;
      const [left = null, right = null] = sides.map((side) => (side?.mode === FOLDER_MODE ? side.oid : null));
      compare(left, right);
      for (const side of sides) if (side !== undefined && side.mode !== FOLDER_MODE) prove(tree, side.oid);
    }
  };
  compare(from, to);
}

/** `null`: it isn't in a file of its own, or no folder. */
function provenFolder(tree: WorkTree, id: string): Folder | null {
  const content = readTreeObject(tree, id);
  if (content !== null) return parseFolder(content, id.length / 2);
  prove(tree, id);
  return null;
}

function prove(tree: WorkTree, id: string): void {
  const file = looseFile(tree, id);
  if (file === null || isGenuine(file, id)) return;
  throw new GitError(
    `${file} was changed: it isn't the object that its name says, so git would show wrong differences. \`git fsck\` names all that is wrong.`,
  );
}

type Entry = { readonly mode: string; readonly oid: string };
/** A tree, by name, one character per byte. */
type Folder = ReadonlyMap<string, Entry>;

const FOLDER_MODE = '40000';

/**
 * The object of a tree as git stores it.
 *
 * @param idBytes Length of an id in it.
 */
function parseFolder(content: Buffer, idBytes: number): Folder {
  const folder = new Map<string, Entry>();
  for (let at = 0; at < content.length; ) {
    const [space, end] = [content.indexOf(0x20, at), content.indexOf(0, at)];
    const mode = content.toString('latin1', at, space);
    const oid = content.toString('hex', end + 1, end + 1 + idBytes);
    folder.set(content.toString('latin1', space + 1, end), { mode, oid });
    at = end + 1 + idBytes;
  }
  return folder;
}
