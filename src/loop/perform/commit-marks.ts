import { GitError } from '../../domain/ports.ts';
import { MARKS_SUBJECT } from '../../domain/records/marks.ts';
import type { LoopContext } from '../context.ts';

/** Commits the marks of what is done and has landed in the task list, and nothing else that you changed in it. */
export async function commitMarks(context: LoopContext): Promise<void> {
  const { ports, config, root } = context;
  const { store, tracker, git, line } = ports;
  if (config.git.commit === 'never' || config.git.branch_strategy !== 'none') return;
  const results = (await line.look())?.results ?? [];
  const waits = new Set(results.filter(({ status }) => status.kind === 'open').map(({ taskId }) => taskId));
  const done = Object.entries(store.state.tasks).filter(
    ([id, { doneBy }]) => doneBy?.kind === 'verdict' && !waits.has(id),
  );
  const edits = await tracker.marks(done.map(([id]) => id));
  const inside = edits.filter(({ path }) => path.startsWith(`${root}/`));
  try {
    await git.commitEdits(
      null,
      inside.map(({ path, edit }) => ({ path: path.slice(root.length + 1), edit })),
      MARKS_SUBJECT,
    );
  } catch (error) {
    // It could not be signed: the marks stay uncommitted.
    if (!(error instanceof GitError)) throw error;
    ports.emit({ kind: 'warning', message: `The marks of the task list aren't committed: ${error.message}` });
  }
}
