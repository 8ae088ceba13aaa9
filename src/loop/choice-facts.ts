import { standings } from '../decide/index.ts';
import type { AutoUnblock } from '../domain/blocked.ts';
import type { ChoiceFacts, Reconciliation } from '../domain/choice.ts';
import { openIncidents } from '../domain/incident.ts';
import { taskStateOf } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { selectTask } from '../tasks/index.ts';
import type { LoopContext } from './context.ts';
import type { RunDocuments } from './run-documents.ts';

type Seen = {
  /** All tasks with overlaid status. */
  readonly tasks: readonly Task[];
  readonly documents: RunDocuments;
  readonly iterations: number;
  readonly reconciled: Reconciliation[];
  readonly autoUnblocked: AutoUnblock[];
  readonly waits: ChoiceFacts['waits'];
  /** Attempts of this run that count, by task. */
  readonly attempts: ReadonlyMap<string, number>;
};

/** All that the choice goes by, as it is now. */
export function choiceFacts(context: LoopContext, seen: Seen): ChoiceFacts {
  const { ports, only, config, adapters, retry } = context;
  const { state } = ports.store;
  const names = adapters.map(({ name }) => name);
  const agents = [...standings(state, names)];
  const pick = only === null ? null : selectTask(seen.tasks, state.tasks, only);
  return {
    seq: state.seq,
    ...seen.documents.tasks(seen.tasks),
    only,
    asked:
      pick?.kind === 'not_selectable' ? { id: pick.task.id, state: taskStateOf(state, pick.task.id) } : null,
    among:
      retry?.unblockings.map(({ taskId }) => ({
        id: taskId,
        attemptsLeft: Math.max(0, retry.attempts - (seen.attempts.get(taskId) ?? 0)),
      })) ?? null,
    autoUnblocked: seen.autoUnblocked,
    availability: { agents, now: ports.clock.now(), maxWaitSeconds: config.loop.max_wait },
    waits: seen.waits,
    reconciled: seen.reconciled,
    incident: openIncidents(state).at(-1)?.id ?? null,
    signal: ports.stop.reason(),
    iterations: seen.iterations,
    maxIterations: context.maxIterations,
    idleIterations: state.idleIterations,
    noProgressLimit: config.loop.no_progress_limit,
  };
}
