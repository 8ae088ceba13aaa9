import { agentStates, keptApart, workpieceOf } from '../decide/index.ts';
import { pausingIncident, waitingIncidents } from '../domain/incident.ts';
import type { ChoiceFacts } from '../domain/records/choice.ts';
import { controlOf } from '../domain/records/run-control.ts';
import { taskStateOf } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { selectTask } from '../tasks/index.ts';
import type { LoopContext, Progress } from './context.ts';
import type { Crew } from './crew.ts';
import { policyFacts } from './policy-facts.ts';
import type { RunDocuments } from './run-documents.ts';

/** How long a task waits for files that another one may change. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** All that the choice goes by, as it is now; and since when tasks have waited for files. */
export function choiceFacts(
  context: LoopContext,
  { documents, crew }: { readonly documents: RunDocuments; readonly crew: Pick<Crew, 'working'> },
  { tasks, counted, attempts, sinceChoice, heldSince: before }: Progress,
): { readonly facts: ChoiceFacts } & Pick<Progress, 'heldSince'> {
  const { ports, only, config, adapters, retry } = context;
  const { state } = ports.store;
  const names = adapters.map(({ name }) => name);
  const agents = [...agentStates(state, names)];
  const pick = only === null ? null : selectTask(tasks, state.tasks, only);
  const stuck = pick?.kind === 'not_selectable' ? pick.tasks : [];
  const now = ports.clock.now();
  const asked = only === null ? null : [...only];
  const among =
    retry?.unblockings.map(({ taskId }) => ({
      id: taskId,
      attemptsLeft: Math.max(0, retry.attempts - (attempts.get(taskId) ?? 0)),
    })) ?? null;
  const { workers, heldSince } = workersNow(context, crew, tasks, before);
  const facts: ChoiceFacts = {
    seq: state.seq,
    ...documents.tasks(tasks),
    only: asked,
    asked: stuck.map(({ task: { id } }) => ({ id, state: taskStateOf(state, id) })),
    among,
    ...sinceChoice,
    policy: policyFacts({ config, state, tasks, now, only: asked, among, workers }),
    availability: {
      ...{ agents, now },
      ...{ maxWaitSeconds: config.loop.max_wait, runUntil: context.runUntil },
    },
    incident: pausingIncident(state)?.id ?? null,
    waiting: waitingIncidents(state).map(({ id }) => id),
    signal: ports.stop.reason(),
    control: controlOf(state, context.run),
    iterations: counted + workers.working.length,
    maxIterations: context.maxIterations,
    idleIterations: state.idleIterations,
    noProgressLimit: config.loop.no_progress_limit,
    workers,
  };
  return { facts, heldSince };
}

/** What the workers are at, which tasks don't start beside that, and since when those have waited for files. */
function workersNow(
  { ports: { store, clock } }: LoopContext,
  crew: Pick<Crew, 'working'>,
  tasks: readonly Task[],
  before: Progress['heldSince'],
): Pick<ChoiceFacts, 'workers'> & Pick<Progress, 'heldSince'> {
  const working = [...crew.working()];
  if (working.length === 0) return { workers: { working, held: [] }, heldSince: new Map() };
  const now = clock.monotonicMs();
  const late = new Set([...before].filter(([, since]) => now - since >= LONGEST_WAIT_MS).map(([id]) => id));
  const pieces = (all: readonly Task[]) => all.map((task) => workpieceOf(task, store.state));
  const open = tasks.filter(({ status }) => status === 'open' || status === 'in_progress');
  const held = keptApart(pieces(open), pieces(tasks.filter(({ id }) => working.includes(id))), late);
  const waited = [...held.filter(({ paths }) => paths.length > 0).map(({ id }) => id), ...late];
  return { workers: { working, held }, heldSince: new Map(waited.map((id) => [id, before.get(id) ?? now])) };
}
