import { decisionCommand, isNewlySilent, type OpenedIncident, silentText } from '../../decide/index.ts';
import { redOnLineIn } from '../../domain/command-runs.ts';
import { requestOf } from '../../domain/human/state.ts';
import { StoreError } from '../../domain/ports.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { redact } from '../../lib/redact.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { answerCommand, asksQuestion } from '../../respond/blocked/index.ts';
import type { LoopContext } from '../context.ts';
import { announceGate } from './announce-gate.ts';
import { endUndone } from './end-undone.ts';
import { landWork, type Prepared } from './land-work.ts';
import { announceIncident } from './open-incident.ts';
import { publish } from './publish.ts';
import { endRollback } from './roll-back.ts';
import { takeBack } from './take-back.ts';
import { tellPeople, withPlan } from './tell-people.ts';

type Decided = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly prepared: Prepared;
  /** What is on record of an emergency stop; `null`: there is none. */
  readonly incident: OpenedIncident | null;
  /** Absolute folder of the iteration. */
  readonly folder: string;
};

/** What follows from a decided iteration that is on record: in the copy, on your branch, in the task list. */
export async function perform(context: LoopContext, decided: Decided): Promise<void> {
  const { facts, decisions, prepared, folder } = decided;
  const { task } = facts;
  await endRollback(context);
  const red = redOnLineIn(facts);
  if (red.length > 0) await context.turns.alone(() => takeBack(context, task.id, facts.redSince, red));
  await endUndone(context, task.id);
  if (decisions.taskStatus === 'done')
    await context.turns.alone(() => landWork(context, facts, { prepared, folder }));
  await markTask(context, task, decisions.taskStatus);
  const { parked, parkedBecause, recovery, attempts } = taskStateOf(context.ports.store.state, task.id);
  const silent = isNewlySilent(attempts) ? silentText(attempts) : null;
  if (silent !== null) context.ports.store.commit([{ type: 'warned', message: `${task.id}: ${silent}` }]);
  const request = requestOf(context.ports.store.state.human, task.id);
  if (asksQuestion({ blocked: decisions.blocked })) await tellOfQuestion(context, facts, decisions);
  if (decided.incident !== null) await announceIncident(context, decided.incident);
  else if (request !== null) await announceGate(context, request);
  else if (parked && parkedBecause !== null)
    await tellOfParked(context, facts, withPlan(parkedBecause, recovery));
  if (decisions.taskStatus === 'done' && context.config.git.push === 'on_done')
    await publish(context, { tasks: [task], end: null });
}

/** A task that waits for you is worth a notification. */
function tellOfParked(context: LoopContext, { iteration, task }: IterationFacts, why: string): Promise<void> {
  return tellPeople(context, iteration, {
    kind: 'awaiting_human',
    taskId: task.id,
    incident: null,
    severity: 'warning',
    title: `ralph: task ${task.id} waits for you`,
    text: redact(why, context.secrets),
    next: [
      `ralph interventions --task ${shellQuote(task.id)}`,
      decisionCommand(context.ports.store.state, task.id),
    ],
    result: null,
  });
}

/** So is a question of its agent. */
function tellOfQuestion(
  context: LoopContext,
  { iteration, task }: IterationFacts,
  { blocked }: IterationDecisions,
): Promise<void> {
  return tellPeople(context, iteration, {
    kind: 'awaiting_human',
    taskId: task.id,
    incident: null,
    severity: 'warning',
    title: `ralph: the agent asks about ${task.id}`,
    text: redact(blocked?.detail ?? '', context.secrets),
    next: [answerCommand(task.id)],
    result: null,
  });
}

/** Only verified and blocked tasks are marked. A task file that changed meanwhile is reported, and the run continues. */
async function markTask({ ports }: LoopContext, task: Task, status: Task['status']): Promise<void> {
  if (status !== 'done' && status !== 'blocked') return;
  try {
    await ports.tracker.setStatus(task.id, status);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    ports.store.commit([
      { type: 'warned', message: `${task.id} could not be marked as ${status}: ${error.message}` },
    ]);
  }
}
