import type { ChangeSet, Snapshot } from '../../domain/change-set.ts';
import type { HeadEdit } from '../../domain/ports.ts';
import { isOutput } from '../../domain/records/outputs.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task, TrackedStatus } from '../../domain/task.ts';
import { onOneLine } from '../../lib/text.ts';
import type { LoadedTracker, LoopContext } from '../context.ts';

/**
 * Paths that you have changed and not committed: dirty before the attempt, and neither ralph's own earlier work nor what
 * gates write, or changed since the last attempt (`since`).
 */
export async function personsPaths(
  { ports }: LoopContext,
  state: State,
  before: Snapshot,
  since: readonly string[],
): Promise<readonly string[]> {
  const ours = new Set(Object.values(state.tasks).flatMap(({ uncommittedPaths }) => uncommittedPaths));
  const dirty = await ports.git.dirtyPaths(before);
  const theirs = dirty.filter((path) => !ours.has(path) && !isOutput(state, path));
  return [...theirs, ...(ours.size === 0 ? [] : since)];
}

type Work = {
  readonly task: Task;
  readonly tracker: LoadedTracker;
  /** Of the task list, if ralph wrote one now. */
  readonly mark: TrackedStatus | null;
  readonly changes: ChangeSet;
  /** Paths that you have changed and not committed. */
  readonly theirs: readonly string[];
};

/** Commits what the attempts at a task changed together with its mark, and reports it (spec 1-loop, Git). */
export async function commitWork(context: LoopContext, work: Work): Promise<void> {
  const { task, theirs } = work;
  const known = taskStateOf(context.ports.store.state, task.id).uncommittedPaths;
  const own = new Set(work.tracker.paths.map((path) => relativeTo(context, path)));
  const paths = known.filter((path) => !own.has(path));
  const shared = paths.filter((path) => theirs.includes(path));
  const names = shared.slice(0, 5).map(onOneLine).join(', ');
  await commitPaths(context, work, {
    paths,
    refused:
      shared.length === 0 ? null : `you had uncommitted changes in ${names}, which the agent changed too.`,
  });
}

type Wanted = {
  readonly paths: readonly string[];
  readonly refused: string | null;
};

async function commitPaths(context: LoopContext, work: Work, { paths, refused }: Wanted): Promise<void> {
  const { run, config } = context;
  const { store, git, emit } = context.ports;
  const { changes } = work;
  const { id: taskId, title } = work.task;
  const message = config.git.message.replaceAll('{task_id}', taskId).replaceAll('{title}', () => title);
  let missing = false;
  const edit = markInHead(context, work, () => {
    missing = true;
  });
  const outcome =
    refused === null
      ? await git.commit(changes.after, paths, message, edit)
      : { kind: 'skipped' as const, reason: refused };
  if (outcome.kind === 'nothing') {
    if (paths.length > 0)
      store.commit(() => [
        { type: 'task_committed', taskId, commit: changes.after.head ?? '', paths: [...paths] },
      ]);
    return;
  }
  if (outcome.kind === 'committed') {
    store.commit(() => [{ type: 'task_committed', taskId, commit: outcome.commit, paths: [...paths] }]);
    emit({ kind: 'committed', taskId, commit: outcome.commit, paths: outcome.paths.length });
    const where = `${work.tracker.name} as committed has no such task`;
    if (missing) emit({ kind: 'warning', message: `The mark of ${taskId} isn't in its commit: ${where}.` });
    return;
  }
  const command = await git.commitCommand(changes.after, paths, message, edit);
  if (command === null) return;
  const reason = `${outcome.reason} The work is in the tree.`;
  store.commit(() => [{ type: 'commit_skipped', run, taskId, reason, command }]);
  emit({ kind: 'warning', message: `${taskId} was not committed: ${reason}` });
}

/** The mark in the list as HEAD has it: your own edits of the list stay yours. */
function markInHead(
  context: LoopContext,
  { task, tracker, mark }: Work,
  onMissing: () => void,
): HeadEdit | null {
  const [file] = tracker.paths;
  if (mark === null || file === undefined) return null;
  return {
    path: relativeTo(context, file),
    edit: async (text) => {
      const marked = await context.ports.tracker.marked(text, task.id, mark);
      if (marked === null) onMissing();
      return marked;
    },
  };
}

function relativeTo({ root }: LoopContext, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
