import type { BytePath } from '../call/git-path.ts';
import { isOwn, type WorkTree } from '../call/work-tree.ts';
import type { RawChange } from '../read/parse-diff.ts';
import { changesFromHead } from './diff.ts';

/** Mode and id of a file in a tree; `null`: it isn't there. */
type Side = string | null;
type Sides = { readonly from: Side; readonly to: Side };

/** What differs between a commit and trees that follow one another. */
export type DirtyReader = {
  /** Paths that a tree has otherwise than a commit, ralph's own left out. @throws GitError */
  readonly paths: (head: string | null, tree: string) => Promise<readonly BytePath[]>;
  /** Takes in how one tree became another: git needn't be asked about that one. */
  readonly follow: (before: string, after: string, changes: readonly RawChange[]) => void;
};

/** Knows the tree that it was asked about last, and what that became. */
export function dirtyReader(tree: WorkTree): DirtyReader {
  let known: { readonly head: string | null; tree: string; readonly sides: Map<BytePath, Sides> } | null =
    null;
  return {
    paths: async (head, id) => {
      if (known === null || known.head !== head || known.tree !== id) {
        const changes = await changesFromHead(tree, head, id);
        known = { head, tree: id, sides: new Map(changes.flatMap(sidesOf)) };
      }
      return [...known.sides.keys()].filter((path) => !isOwn(tree, path)).sort();
    },
    follow: (before, after, changes) => {
      if (known === null || known.tree !== before) return;
      const { sides } = known;
      for (const [path, { from, to }] of changes.flatMap(sidesOf)) {
        const first = sides.get(path) ?? { from };
        if (first.from === to) sides.delete(path);
        else sides.set(path, { from: first.from, to });
      }
      known.tree = after;
    },
  };
}

/** A rename is a deletion and an addition. */
function sidesOf({
  status,
  path,
  oldPath,
  oldMode,
  oldOid,
  newMode,
  newOid,
}: RawChange): [BytePath, Sides][] {
  const [from, to] = [`${oldMode} ${oldOid}`, `${newMode} ${newOid}`];
  if (oldPath !== null)
    return [
      [oldPath, { from, to: null }],
      [path, { from: null, to }],
    ];
  return [[path, { from: status === 'A' ? null : from, to: status === 'D' ? null : to }]];
}
