import type { Config } from '../../domain/config.ts';
import type { Store } from '../../domain/ports.ts';
import type { State } from '../../domain/state.ts';
import { taskStateOf } from '../../domain/state.ts';
import { checkDependencies, overlayStatus } from '../../tasks/index.ts';
import { openTracker } from '../setup/tracker.ts';
import type { TrackerFacts } from './facts.ts';
import { findProgram } from './gather-machine.ts';

/** The task list as a run would read it. GitHub issues are not fetched: the doctor uses no network. */
export async function gatherTracker(root: string, config: Config, state: State): Promise<TrackerFacts> {
  if (config.tracker.kind === 'github') return { kind: 'github', gh: findProgram('gh', root) !== null };
  const loaded = await openTracker({ root, store: readOnlyStore(state), config: config.tracker }).load();
  if (!loaded.ok) return { kind: 'failed', message: loaded.message };
  const counts: Record<string, number> = {};
  const tasks = loaded.tasks.map((task) => ({
    ...task,
    status: overlayStatus(task, taskStateOf(state, task.id), loaded.holdsBlocked),
  }));
  for (const { status } of tasks) counts[status] = (counts[status] ?? 0) + 1;
  return {
    kind: 'read',
    name: loaded.name,
    format: loaded.format,
    counts,
    total: tasks.length,
    problems: loaded.problems.map(({ line, message }) =>
      line === null ? message : `line ${line}: ${message}`,
    ),
    dependencies: checkDependencies(tasks).map(({ message }) => message),
  };
}

/** A store that remembers nothing: reading a task list would else write down its ids. */
function readOnlyStore(state: State): Store {
  const nothing = (): never => {
    throw new Error('doctor does not write');
  };
  return {
    state,
    refresh: () => state,
    commit: () => state,
    writeViews: nothing,
    iterationFolder: nothing,
    writeDocument: nothing,
    readDocument: () => null,
    guard: nothing,
  };
}
