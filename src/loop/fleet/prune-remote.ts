import { GitError } from '../../domain/ports.ts';
import { RUNS_KEPT } from '../../domain/records/state.ts';
import type { LoopContext } from '../context.ts';

/**
 * Deletes refs on the remote of tasks that landed, and records of tasks that no kept run finished. The remote's own
 * refs show which landed.
 */
export async function pruneRemote({
  ports: { store, line },
  remoteWorkers,
  run,
}: LoopContext): Promise<void> {
  const { push, tasks: known, runs } = store.state;
  if (remoteWorkers === null || push?.run !== run || push.commit === null) return;
  const tasks = Object.keys(known).filter((id) => known[id]?.doneBy?.kind === 'verdict');
  const recent = new Set(runs.slice(-RUNS_KEPT).flatMap(({ done }) => done));
  const records = tasks.filter((id) => !recent.has(id));
  try {
    const results = (await line.current())?.results ?? [];
    const landed = new Set(
      results.filter(({ status }) => status.kind === 'landed').map(({ taskId }) => taskId),
    );
    await remoteWorkers.prune({ tip: push.commit, tasks, records, landed });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    store.commit([
      {
        type: 'warned',
        message: `Refs of tasks that landed stay on ${remoteWorkers.remote}: ${error.message}`,
      },
    ]);
  }
}
