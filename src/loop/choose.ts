import type { AutoUnblock } from '../domain/blocked.ts';
import type { ChoiceFacts, Reconciliation } from '../domain/choice.ts';
import { type State, taskStateOf } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { selectTask } from '../tasks/index.ts';
import { endingAmong, selectAmong } from './choose-among.ts';
import type { LoopContext } from './context.ts';
import { decideEnding, type Ending } from './ending.ts';
import type { RunDocuments } from './run-documents.ts';

type Choice =
  | { readonly kind: 'task'; readonly task: Task; readonly why: string }
  | { readonly kind: 'end'; readonly ending: Ending };

type Known = {
  /** With overlaid status, as `facts.tasks` and `facts.statuses` describe them. */
  readonly tasks: readonly Task[];
  readonly states: State['tasks'];
  readonly agent: string;
};

/** What the loop does next: the task to take up, or its end. */
export function chooseNext(facts: ChoiceFacts, known: Known): Choice {
  const { among } = facts;
  const pick =
    among === undefined
      ? selectTask(known.tasks, known.states, facts.only)
      : selectAmong(known.tasks, known.states, among);
  const ending = decideEnding({ ...facts, pick, agent: known.agent });
  if (ending !== null) {
    return { kind: 'end', ending: among === undefined ? ending : endingAmong(ending, known.tasks, among) };
  }
  // Every pick but a task is an end.
  if (pick.kind !== 'task') throw new Error(`there is neither a task nor an end (${pick.kind})`);
  return { kind: 'task', task: pick.task, why: pick.why };
}

type Seen = {
  /** All tasks with overlaid status. */
  readonly tasks: readonly Task[];
  readonly documents: RunDocuments;
  readonly iterations: number;
  readonly reconciled: Reconciliation[];
  readonly autoUnblocked: AutoUnblock[];
  /** Attempts of this run, by task. */
  readonly attempts: ReadonlyMap<string, number>;
};

/** All that the choice goes by, as it is now. */
export function choiceFacts(context: LoopContext, seen: Seen): ChoiceFacts {
  const { ports, only, config, adapter, retry } = context;
  const { state } = ports.store;
  const pick = only === null ? null : selectTask(seen.tasks, state.tasks, only);
  return {
    seq: state.seq,
    ...seen.documents.tasks(seen.tasks),
    only,
    asked:
      pick?.kind === 'not_selectable' ? { id: pick.task.id, state: taskStateOf(state, pick.task.id) } : null,
    ...(retry === undefined
      ? {}
      : {
          among: retry.unblockings.map(({ taskId }) => ({
            id: taskId,
            attemptsLeft: Math.max(0, retry.attempts - (seen.attempts.get(taskId) ?? 0)),
          })),
        }),
    ...(seen.autoUnblocked.length === 0 ? {} : { autoUnblocked: seen.autoUnblocked }),
    reconciled: seen.reconciled,
    signal: ports.stop.reason(),
    suspended: state.profiles[adapter.name]?.suspended ?? null,
    iterations: seen.iterations,
    maxIterations: context.maxIterations,
    idleIterations: state.idleIterations,
    noProgressLimit: config.loop.no_progress_limit,
  };
}
