import type { AutoUnblock } from '../domain/blocked.ts';
import type { ChoiceFacts, Reconciliation } from '../domain/choice.ts';
import { openIncidents } from '../domain/incident.ts';
import { type State, taskStateOf } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { selectTask } from '../tasks/index.ts';
import { type AgentChoice, chooseAgent } from './available-agent.ts';
import { endingAmong, selectAmong } from './choose-among.ts';
import type { LoopContext } from './context.ts';
import { decideEnding, type Ending } from './ending.ts';
import type { RunDocuments } from './run-documents.ts';
import { standings } from './wait.ts';

export type Choice =
  /** `agent`: the name of the one that takes it up. `because`: why not one of those before it, if any are. */
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly why: string;
      readonly agent: string;
      readonly because: string | null;
    }
  | Extract<AgentChoice, { kind: 'wait' }>
  | { readonly kind: 'end'; readonly ending: Ending };

type Known = {
  /** With overlaid status, as `facts.tasks` and `facts.statuses` describe them. */
  readonly tasks: readonly Task[];
  readonly states: State['tasks'];
};

/** What the loop does next: the task to take up and the agent for it, a wait for an agent, or its end. */
export function chooseNext(facts: ChoiceFacts, known: Known): Choice {
  const { among, availability } = facts;
  const pick =
    among === null
      ? selectTask(known.tasks, known.states, facts.only)
      : selectAmong(known.tasks, known.states, among);
  const ending = decideEnding({ ...facts, ...suspensionOf(availability), pick });
  if (ending !== null) {
    return { kind: 'end', ending: among === null ? ending : endingAmong(ending, known.tasks, among) };
  }
  // Every pick but a task is an end.
  if (pick.kind !== 'task') throw new Error(`there is neither a task nor an end (${pick.kind})`);
  const agent = chooseAgent(availability);
  if (agent.kind !== 'agent') return agent;
  return { kind: 'task', task: pick.task, why: pick.why, agent: agent.name, because: agent.because };
}

/** A suspension ends the run only when no agent is left that is not suspended. */
function suspensionOf({ agents }: ChoiceFacts['availability']) {
  const all = agents.every((one) => one.suspended !== null);
  return { agent: agents[0]?.name ?? '', suspended: all ? (agents[0]?.suspended ?? null) : null };
}

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
