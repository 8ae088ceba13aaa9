import type { ChangeSet, Snapshot } from '../../domain/change-set.ts';
import { pathsOf } from '../../domain/change-set.ts';
import type { State } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { onOneLine } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';

/**
 * Paths that you have changed and not committed: dirty before the attempt and not ralph's own earlier work, or
 * changed since the last attempt. `lastTree` is the tree that the last attempt left, `null` when none is known.
 */
export async function personsPaths(
  { ports }: LoopContext,
  state: State,
  before: Snapshot,
  lastTree: string | null,
): Promise<readonly string[]> {
  const ours = new Set(Object.values(state.tasks).flatMap(({ uncommittedPaths }) => uncommittedPaths));
  const dirty = await ports.git.dirtyPaths(before);
  const theirs = dirty.filter((path) => !ours.has(path));
  if (ours.size === 0 || lastTree === null || lastTree === before.tree) return theirs;
  const since = await ports.git.diff({ ...before, tree: lastTree }, before);
  return [
    ...theirs,
    ...since.changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath])),
  ];
}

/** Commits what the attempts at a task changed, and tells of it (spec 1-loop, Git). */
export async function commitWork(
  { ports, config }: LoopContext,
  task: Task,
  changes: ChangeSet,
  theirs: readonly string[],
): Promise<void> {
  const { store, git, emit } = ports;
  const paths = [
    ...new Set([...(store.state.tasks[task.id]?.uncommittedPaths ?? []), ...pathsOf(changes)]),
  ].toSorted();
  if (paths.length === 0) return;
  const shared = paths.filter((path) => theirs.includes(path));
  if (shared.length > 0) {
    emit({
      kind: 'warning',
      message: `${task.id} was not committed: you had uncommitted changes in ${shared.slice(0, 5).map(onOneLine).join(', ')}, which the agent changed too. The work is in the tree.`,
    });
    return;
  }
  const message = config.git.message.replaceAll('{task_id}', task.id).replaceAll('{title}', () => task.title);
  const outcome = await git.commit(changes.after, paths, message);
  switch (outcome.kind) {
    case 'committed':
      store.commit(() => [{ type: 'task_committed', taskId: task.id, commit: outcome.commit, paths }]);
      emit({ kind: 'committed', taskId: task.id, commit: outcome.commit, paths: outcome.paths.length });
      break;
    case 'nothing':
      store.commit(() => [
        { type: 'task_committed', taskId: task.id, commit: changes.after.head ?? '', paths },
      ]);
      break;
    case 'skipped':
    case 'failed':
      emit({
        kind: 'warning',
        message: `${task.id} was not committed: ${outcome.reason} The work is in the tree.`,
      });
  }
}
