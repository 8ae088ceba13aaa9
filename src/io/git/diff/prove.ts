import { GitError } from '../../../domain/ports.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { isGenuine, looseFile, readTreeObject } from '../repository/loose-objects.ts';
import { FOLDER_MODE, type Folder, parseFolder } from './folder.ts';

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
