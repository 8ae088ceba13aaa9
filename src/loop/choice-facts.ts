import { agentAvailability, heldTasks, selectTask, tasksNeedingGates } from '../decide/index.ts';
import { pausingIncident, waitingIncidents } from '../domain/incident.ts';
import { WORKER_STOPPED } from '../domain/ports.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import { controlOf } from '../domain/records/run-control.ts';
import { taskStateOf } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { resultsThatWait } from '../domain/work-place.ts';
import type { LoopContext, Progress } from './context.ts';
import type { Crew } from './crew.ts';
import { limitOf, scopeOf } from './limit-of.ts';
import { policyFacts } from './policy-facts.ts';
import type { RunDocuments } from './run-documents.ts';

export function choiceFacts(
  context: LoopContext,
  { documents, crew }: { readonly documents: RunDocuments; readonly crew: Pick<Crew, 'working' | 'free'> },
  { tasks, counted, attempts, startedTasks, sinceChoice }: Progress,
): ChoiceFacts {
  const { ports, only, config, adapters, retry } = context;
  const { state } = ports.store;
  const names = adapters.map(({ name }) => name);
  const agents = [...agentAvailability(state, names)];
  const pick = only === null ? null : selectTask(tasks, state.tasks, only);
  const stuck = pick?.kind === 'not_selectable' ? pick.tasks : [];
  const now = ports.clock.now();
  const asked = only === null ? null : [...only];
  const among =
    retry?.unblockings.map(({ taskId }) => ({
      id: taskId,
      attemptsLeft: Math.max(0, retry.attempts - (attempts.get(taskId) ?? 0)),
    })) ?? null;
  const scope = scopeOf(context, tasks);
  const reason = ports.stop.reason();
  const workers = workersNow(context, crew, tasks);
  return {
    seq: state.seq,
    ...documents.tasks(tasks),
    only: asked,
    asked: stuck.map(({ task: { id } }) => ({ id, state: taskStateOf(state, id) })),
    among,
    ...sinceChoice,
    policy: policyFacts({ config, state, tasks, now, only: asked, among, workers }, context.ledgers.costOf),
    availability: {
      agents,
      now,
      maxWaitSeconds: config.loop.max_wait,
      runUntil: context.runUntil,
    },
    incident: pausingIncident(state)?.id ?? null,
    outage: state.outage && {
      ...state.outage,
      needing: [...tasksNeedingGates(state.outage, context.gates, tasks)],
    },
    finished: tasks.flatMap(({ id }) => {
      const { finished, attempts } = taskStateOf(state, id);
      const agent = attempts.at(-1)?.agent ?? '';
      return finished === null ? [] : { id, agent: names.includes(agent) ? agent : adapters[0].name };
    }),
    results: resultsThatWait(state, tasks).flatMap(({ id }) => ((scope?.has(id) ?? true) ? [id] : [])),
    waiting: waitingIncidents(state).map(({ id }) => id),
    signal: reason === WORKER_STOPPED ? null : reason,
    control: controlOf(state, context.run),
    iterations: counted + workers.working.length,
    maxIterations: limitOf(context, scope, { tasks, startedTasks }),
    idleIterations: state.idleIterations,
    noProgressLimit: config.loop.no_progress_limit,
    workers,
    first: state.first,
    freeWorkers: crew.free(),
  };
}

function workersNow(
  { ports: { store, clock } }: LoopContext,
  crew: Pick<Crew, 'working'>,
  tasks: readonly Task[],
): ChoiceFacts['workers'] {
  const working = [...crew.working()];
  return { working, held: heldTasks(working, tasks, store.state, clock.now()) };
}
