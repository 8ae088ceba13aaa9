import { lastUsed } from 'ralph-kit/last-used';
import { GitError } from '../../domain/ports.ts';
import { type GitCall, gitCall } from '../call/environment.ts';
import { settingsOf } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { openRefTransactions, type RefTransactions } from './long-lived.ts';
import { type Objects, openObjects } from './objects.ts';
import { openRefs, type Refs } from './refs.ts';
import { type RepositoryFormat, repositoryFormat } from './repository-format.ts';
import { filesByGit, gitStore, openStore, type Store, withFolders } from './stores.ts';

/** Answers about one repository without starting git for each. */
export type Door = {
  readonly format: RepositoryFormat;
  readonly store: Store;
  readonly objects: Objects;
  /** The refs; `null` when they aren't stored in files, so git is asked. */
  readonly refs: Refs | null;
  readonly moves: RefTransactions;
};

/** Limit of open doors; each keeps up to two git processes, started by the first question. */
const MOST_OPEN = 8;
/** The open doors, by repository and view. */
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
 * Returns the answers for a work tree; `null` without pinned settings, which may change at any time, or when a test
 * disables this.
 */
export async function doorOf(tree: WorkTree): Promise<Door | null> {
  if (tree.view === null || process.env.RALPH_GIT_OBJECTS === 'git') return null;
  return doors.ask(keyOf(tree), () => openDoor(tree));
}

/** Returns the objects visible to a work tree, including temporary ones and alternates. */
export async function objectsOf(tree: WorkTree): Promise<Objects> {
  const door = await doorOf(tree);
  if (door === null) return { ...openObjects(gitStore(tree), tree), files: (id) => filesByGit(tree, id) };
  if (tree.passing === undefined && tree.alternates === undefined) return door.objects;
  return openObjects(withFolders(door.store, tree, door.format), tree);
}

/** Runs `work` and repeats it without cached data when an object is gone. @throws GitError */
export async function withObjects<T>(tree: WorkTree, work: (objects: Objects) => Promise<T>): Promise<T> {
  try {
    return await work(await objectsOf(tree));
  } catch (error) {
    if (!(error instanceof GitError) || (await doorOf(tree)) === null) throw error;
    closeDoor(tree);
    return work(await objectsOf(tree));
  }
}

export function closeDoor(tree: WorkTree): void {
  doors.forget(keyOf(tree));
}

function keyOf({ gitDir, commonDir, view }: WorkTree): string {
  return [gitDir, commonDir, view?.folder].join('\0');
}

async function openDoor({ passing: _passing, alternates: _alternates, ...tree }: WorkTree): Promise<Door> {
  const settings = await settingsOf(tree);
  const format = repositoryFormat(new Map(settings.map(({ key, value }) => [key, value ?? 'true'])));
  // A copy's folder may disappear while git keeps running.
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
