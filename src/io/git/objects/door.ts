import { GitError } from '../../../domain/ports.ts';
import { lastUsed } from '../../../lib/last-used.ts';
import { type GitCall, gitCall } from '../call/environment.ts';
import { settingsOf } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { type Objects, openObjects } from './objects.ts';
import { openRefTransactions, type RefTransactions } from './ref-transactions.ts';
import { openRefs, type Refs } from './refs.ts';
import { type RepositoryFormat, repositoryFormat } from './repository-format.ts';
import { filesByGit, gitStore, openStore, type Store, withFolders } from './stores.ts';

/** What this process answers of one repository by itself. */
export type Door = {
  readonly format: RepositoryFormat;
  readonly store: Store;
  readonly objects: Objects;
  /** `null`: they don't lie in files, so that git is asked. */
  readonly refs: Refs | null;
  /** Moves refs of ralph's own. */
  readonly moves: RefTransactions;
};

/** Doors that are open at a time; each keeps up to two gits, which start with the first question for them. */
const MOST_OPEN = 8;
/** By repository and view. */
const doors = lastUsed<Door>(MOST_OPEN, (door) => {
  door.then(
    ({ store, moves }) => {
      store.end();
      moves.end();
    },
    () => undefined,
  );
});

/**
 * The door to the repository of a work tree. `null`: all is asked of git, as its settings may change at any time (no view of them is
 * pinned), or a test wants that.
 */
export async function doorOf(tree: WorkTree): Promise<Door | null> {
  if (tree.view === null || process.env.RALPH_GIT_OBJECTS === 'git') return null;
  return doors.ask(keyOf(tree), () => openDoor(tree));
}

/** The objects that a work tree sees, its passing ones and those of its alternates among them. */
export async function objectsOf(tree: WorkTree): Promise<Objects> {
  const door = await doorOf(tree);
  if (door === null) return { ...openObjects(gitStore(tree), tree), files: (id) => filesByGit(tree, id) };
  if (tree.passing === undefined && tree.alternates === undefined) return door.objects;
  return openObjects(withFolders(door.store, tree, door.format), tree);
}

/** Works with these objects. Where one isn't there any more, it is done once more with nothing that was read before. @throws GitError */
export async function withObjects<T>(tree: WorkTree, work: (objects: Objects) => Promise<T>): Promise<T> {
  try {
    return await work(await objectsOf(tree));
  } catch (error) {
    if (!(error instanceof GitError) || (await doorOf(tree)) === null) throw error;
    closeDoor(tree);
    return work(await objectsOf(tree));
  }
}

/** Ends the gits that are kept for a repository. */
export function closeDoor(tree: WorkTree): void {
  doors.forget(keyOf(tree));
}

function keyOf({ gitDir, commonDir, view }: WorkTree): string {
  return [gitDir, commonDir, view?.folder].join('\0');
}

async function openDoor({ passing: _passing, alternates: _alternates, ...tree }: WorkTree): Promise<Door> {
  const settings = await settingsOf(tree);
  const format = repositoryFormat(new Map(settings.map(({ key, value }) => [key, value ?? 'true'])));
  // A copy's folder may go while git stays.
  const call = (): GitCall => {
    const made = gitCall({ kind: 'objects', tree });
    return { ...made, folder: tree.gitDir, env: { ...made.env, GIT_WORK_TREE: tree.gitDir } };
  };
  const store = openStore(tree, format, call);
  return {
    format,
    store,
    objects: openObjects(store, tree),
    refs: format.refsInFiles ? openRefs(tree) : null,
    moves: openRefTransactions(call, 'ralph: landed'),
  };
}
