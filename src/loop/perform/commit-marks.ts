import { shellQuote } from 'ralph-kit/shell-quote';
import { GitError } from '../../domain/ports.ts';
import { MARKS_SUBJECT } from '../../domain/records/marks.ts';
import type { LoopContext } from '../context.ts';

/** Commits the marks of tasks. Your own edits of the list stay uncommitted. */
export async function commitMarks(context: Pick<LoopContext, 'ports' | 'config' | 'root'>): Promise<void> {
  const { ports, config, root } = context;
  const { store, tracker, git, line } = ports;
  if (config.git.commit === 'never' || config.git.branch_strategy !== 'none') return;
  const now = await line.look();
  if (now === null) return;
  const { branch, isHere, results } = now;
  const waits = new Set(results.filter(({ status }) => status.kind === 'open').map(({ taskId }) => taskId));
  const landed = new Set(
    results.filter(({ status }) => status.kind === 'landed').map(({ taskId }) => taskId),
  );
  const done = Object.entries(store.state.tasks).filter(
    ([id, { doneBy }]) => doneBy !== null && (doneBy.kind === 'verdict' || landed.has(id)) && !waits.has(id),
  );
  const edits = await tracker.marks(done.map(([id]) => id));
  const inside = edits.filter(({ path }) => path.startsWith(`${root}/`));
  try {
    await git.commitEdits(
      isHere ? null : branch,
      inside.map(({ path, edit }) => ({ path: path.slice(root.length + 1), edit })),
      MARKS_SUBJECT,
    );
  } catch (error) {
    // If the commit can't be signed, the marks stay uncommitted.
    if (!(error instanceof GitError)) throw error;
    ports.store.commit([
      { type: 'warned', message: `The marks of the task list aren't committed: ${error.message}` },
    ]);
  }
  if (isHere || branch === null || done.length === 0) return;
  const back = `git switch -m ${shellQuote(branch)}`;
  ports.store.commit([
    {
      type: 'warned',
      message: `Results and marks land on ${branch}, where the run began; another branch is checked out by now: ${back}`,
    },
  ]);
}
