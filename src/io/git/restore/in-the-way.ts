import { GitError } from '../../../domain/ports.ts';
import { type BytePath, foldersAbove, printPath } from '../call/git-path.ts';
import { absolute, look, type WorkTree } from '../repository/work-tree.ts';
import type { RestorePlan } from './plan-restore.ts';
import {
  asOrdinaryNames,
  type DiskFile,
  filesBelow,
  type RawEntry,
  storeRaw,
  writeTreeOver,
} from './raw-content.ts';

/** Everything that a plan takes away, as it is stored in git; no ref holds it yet. */
export type Holding = {
  /** The snapshot, with what lies in the way beside it. */
  readonly tree: string;
  /** Bytes that the tree can't hold as they are; `null` when there are none. */
  readonly raw: string | null;
  /** Ids of the bytes themselves. */
  readonly oids: ReadonlySet<string>;
};

/**
 * Stores what a plan takes away: the bytes as they are on disk, which a filter or a conversion of line endings makes
 * other ones in a snapshot, and ignored files that lie where something comes.
 */
export async function storeInTheWay(plan: RestorePlan, indexFile: string): Promise<Holding> {
  const { tree, snapshot, old } = plan;
  const files = [...filesAt(tree, plan.remove), ...filesWhere(tree, plan.write)];
  const stored = await storeRaw(tree, [...new Map(files.map((one) => [one.path, one])).values()]);
  const beside = new Map<BytePath, RawEntry>();
  const raw = new Map<BytePath, RawEntry>();
  for (const [path, entry] of stored) {
    const was = old.get(path);
    const ordinary = asOrdinaryNames(path);
    if (was === entry.oid) continue;
    if (was !== undefined || ordinary !== path) raw.set(ordinary, entry);
    else beside.set(path, entry);
  }
  const keptTree =
    beside.size === 0 ? snapshot.tree : await writeTreeOver(tree, indexFile, snapshot.tree, beside);
  const rawTree = raw.size === 0 ? null : await writeTreeOver(tree, indexFile, null, raw);
  const oids = new Set([...stored.values()].map(({ oid }) => oid));
  return { tree: keptTree, raw: rawTree, oids };
}

function filesAt(tree: WorkTree, paths: readonly BytePath[]): DiskFile[] {
  return paths.map((path) => ({ path, file: absolute(tree, path) }));
}

function filesIn(tree: WorkTree, folder: BytePath): DiskFile[] {
  try {
    return filesBelow(absolute(tree, folder), folder);
  } catch (error) {
    throw new GitError(`${printPath(folder)} can't be read to keep it (${(error as Error).message})`);
  }
}

/** What lies at these paths, or as a file or symlink where one of their folders has to be. */
function filesWhere(tree: WorkTree, paths: readonly BytePath[]): DiskFile[] {
  const kinds = new Map<BytePath, 'folder' | 'file' | 'nothing'>();
  const kindOf = (path: BytePath) => {
    const known = kinds.get(path);
    if (known !== undefined) return known;
    const found = look(absolute(tree, path));
    const kind = found === null ? 'nothing' : found.isDirectory() ? 'folder' : 'file';
    kinds.set(path, kind);
    return kind;
  };
  return paths.flatMap((path) => {
    const place = foldersAbove(path).find((folder) => kindOf(folder) !== 'folder') ?? path;
    if (kindOf(place) === 'file') return filesAt(tree, [place]);
    return kindOf(place) === 'folder' ? filesIn(tree, place) : [];
  });
}
