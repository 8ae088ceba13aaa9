import { type BytePath, foldersAbove, printPath } from './git-path.ts';
import { below, type NewPlan, type Plan, type SitePlan } from './plan-restore.ts';
import {
  asOrdinaryNames,
  type DiskFile,
  filesBelow,
  fingerprint,
  type RawEntry,
  storeRaw,
  writeTreeOver,
} from './raw-content.ts';
import { GitError } from './run-git.ts';
import { absolute, look, type WorkTree } from './work-tree.ts';

/** Everything that a plan takes away, as it is stored in git; no ref holds it yet. */
export type Holding = {
  /** The snapshot, with what lies in the way beside it. */
  readonly tree: string;
  /** Bytes that the tree cannot hold as they are; `null` when there are none. */
  readonly raw: string | null;
  /** Ids of the bytes themselves, those of submodules included. */
  readonly oids: ReadonlySet<string>;
  readonly inside: readonly Holding[];
  /** The same for the same bytes at the same places. */
  readonly mark: string;
};

/**
 * Stores what a plan takes away: the bytes as they are on disk, which a filter or a conversion of line endings makes
 * other ones in a snapshot, and ignored files that lie where something comes.
 */
export async function storeInTheWay(plan: SitePlan): Promise<Holding> {
  const { tree, snapshot, snapshots, old } = plan;
  const inside: Holding[] = [];
  for (const inner of plan.inside) inside.push(await storeInTheWay(inner.plan));
  const submodules = new Set(plan.gone.map(({ path }) => path));
  const whole = filesIn(tree, [...submodules]);
  const single = [...filesAt(tree, plan.remove), ...filesWhere(tree, comingPaths(plan))];
  const apart = new Set(whole.map(({ path }) => path));
  const files = new Map([...whole, ...single].map((one) => [one.path, one]));
  const stored = await storeRaw(tree, [...files.values()]);
  const beside = new Map<BytePath, RawEntry>();
  const raw = new Map<BytePath, RawEntry>();
  for (const [path, entry] of stored) {
    const was = old.get(path);
    const ordinary = asOrdinaryNames(path);
    if (was === entry.oid) continue;
    if (was !== undefined || apart.has(path) || ordinary !== path) raw.set(ordinary, entry);
    else beside.set(path, entry);
  }
  const write = (base: string | null, entries: ReadonlyMap<BytePath, RawEntry>) =>
    writeTreeOver(tree, snapshots.files.keepIndex, base, entries);
  const keptTree = beside.size === 0 ? snapshot.tree : await write(snapshot.tree, beside);
  const rawTree = raw.size === 0 ? null : await write(null, raw);
  const oids = new Set([...stored.values()].map(({ oid }) => oid));
  for (const holding of inside) for (const oid of holding.oids) oids.add(oid);
  const mark = fingerprint([
    keptTree,
    rawTree,
    plan.gone.map(({ oid }) => oid),
    inside.map((one) => one.mark),
  ]);
  return { tree: keptTree, raw: rawTree, oids, inside, mark };
}

/** Paths where something comes to lie that is no folder. */
function comingPaths(plan: Plan): BytePath[] {
  return [...plan.write, ...plan.folders.map(placeholder), ...plan.anew.flatMap(comingAnew)];
}

function comingAnew({ path, plan }: NewPlan): BytePath[] {
  return below(path, ['.git' as BytePath, ...comingPaths(plan)]);
}

/** Stands for a folder that has to be there: only what is above it can be in the way. */
function placeholder(folder: BytePath): BytePath {
  return `${folder}/` as BytePath;
}

function filesAt(tree: WorkTree, paths: readonly BytePath[]): DiskFile[] {
  return paths.map((path) => ({ path, file: absolute(tree, path) }));
}

function filesIn(tree: WorkTree, folders: readonly BytePath[]): DiskFile[] {
  return folders
    .filter((path) => look(absolute(tree, path))?.isDirectory() === true)
    .flatMap((path) => {
      try {
        return filesBelow(absolute(tree, path), path);
      } catch (error) {
        throw new GitError(`${printPath(path)} cannot be read to keep it (${(error as Error).message})`);
      }
    });
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
    const barrier = foldersAbove(path).find((folder) => kindOf(folder) !== 'folder');
    if (barrier !== undefined) return kindOf(barrier) === 'file' ? filesAt(tree, [barrier]) : [];
    if (path.endsWith('/') || kindOf(path) === 'nothing') return [];
    return kindOf(path) === 'file' ? filesAt(tree, [path]) : filesIn(tree, [path]);
  });
}
