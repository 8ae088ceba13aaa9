import type { OpenedIncident } from '../../decide/index.ts';
import { requestOf } from '../../domain/human/state.ts';
import type { Intervention } from '../../domain/intervention.ts';
import { type Protected, StoreError } from '../../domain/ports.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { redact } from '../../lib/redact.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import type { LoadedTracker, LoopContext, Previous } from '../context.ts';
import { announceGate } from './announce-gate.ts';
import { commitWork } from './commit-work.ts';
import { endUndone } from './end-undone.ts';
import { announceIncident } from './open-incident.ts';
import { endRollback } from './roll-back.ts';
import { tellPeople, withPlan } from './tell-people.ts';

type Decided = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly tracker: LoadedTracker;
  /** Paths that you have changed and not committed. */
  readonly theirs: readonly string[];
  /** What is on record of an emergency stop; `null`: there is none. */
  readonly incident: OpenedIncident | null;
  /** Absolute folder of the iteration. */
  readonly folder: string;
  readonly follow: Protected['follow'];
};

type Performed = {
  readonly previous: Previous;
  /** Why the run can't continue; `null`: it can. */
  readonly stop: RunStop | null;
  /** Git may have run hooks or filters of the repository. */
  readonly ranGit: boolean;
};

/**
 * What follows from a decided iteration that is on record: in the work tree, in the tracker, in git. A rollback comes
 * first, so that a mark in a tracker that lies in the work tree stays.
 */
export async function perform(context: LoopContext, decided: Decided): Promise<Performed> {
  const { config } = context;
  const { facts, decisions, tracker, theirs } = decided;
  const { task, changes, leftTree } = facts;
  for (const one of decisions.interventions) tell(context, facts, one);
  const after = { ...changes.after, tree: leftTree };
  const commits = config.git.commit;
  const untouched = trackerIsOwn(context, tracker) && commits === 'never';
  let previous: Previous = { tree: after.tree, snapshot: untouched ? after : null };

  const back = await undo(context, facts, decisions);
  if (back?.kind === 'failed')
    return {
      previous: { tree: after.tree, snapshot: null },
      stop: { kind: 'problem', message: back.message },
      ranGit: true,
    };
  if (back?.kind === 'done') {
    previous = { tree: back.snapshot.tree, snapshot: trackerIsOwn(context, tracker) ? back.snapshot : null };
  }
  const undone = await endUndone(context, task.id, decided.folder, decided.follow);
  if (undone.tree !== null) previous = { tree: undone.tree, snapshot: null };
  const mark = await markTask(context, task, decisions.taskStatus);
  const work = { task, tracker, mark, changes, theirs: [...theirs, ...decisions.yours] };
  const isToCommit = back === null && isCommitted(commits, decisions);
  if (isToCommit) {
    await commitWork(context, work);
    // Hooks of yours may have changed something; that is none of your own changes.
    const snapshot = await context.ports.git.snapshot();
    previous = { tree: snapshot.tree, snapshot };
  }
  const { parked, parkedBecause, recovery } = taskStateOf(context.ports.store.state, task.id);
  const request = requestOf(context.ports.store.state.human, task.id);
  if (decided.incident !== null) await announceIncident(context, decided.incident);
  else if (request !== null) await announceGate(context, request);
  else if (parked && parkedBecause !== null)
    await tellOfParked(context, facts, withPlan(parkedBecause, recovery));
  const ranGit = isToCommit || back !== null || undone.tree !== null;
  return { previous, stop: undone.stop, ranGit };
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
    next: [`ralph interventions --task ${shellQuote(task.id)}`, `ralph unblock ${shellQuote(task.id)}`],
    result: null,
  });
}

/** On your branch; what an attempt left that isn't done is in a checkpoint. */
function isCommitted(
  commits: LoopContext['config']['git']['commit'],
  { taskStatus }: IterationDecisions,
): boolean {
  return commits !== 'never' && taskStatus === 'done';
}

/** A rollback and an emergency stop tell of themselves when they are done. */
function tell({ ports }: LoopContext, { iteration, task }: IterationFacts, one: Intervention): void {
  const { record, plan } = one;
  if (plan.type === 'emergency_stop') return;
  if (plan.type === 'checkpoint_rollback' && plan.checkpoint !== null) return;
  const { issue } = record;
  ports.emit({ kind: 'intervention', iteration, taskId: task.id, type: plan.type, issue });
}

/** Goes back to the checkpoint that was decided on; `null` where none was. */
async function undo(context: LoopContext, { task }: IterationFacts, { verdict }: IterationDecisions) {
  if (verdict.kind !== 'rolled_back') return null;
  const back = await endRollback(context);
  const { emit } = context.ports;
  if (back?.kind === 'done') {
    const { checkpoint } = verdict;
    const [kept = ''] = back.kept;
    emit({ kind: 'rolled_back', taskId: task.id, checkpoint, kept, paths: back.paths.length });
  }
  if (back?.kind === 'refused') emit({ kind: 'warning', message: back.reason });
  return back;
}

/**
 * Only verified and blocked tasks are marked. A task file that changed meanwhile is reported, and the run continues.
 *
 * @returns the mark; `null`: none was written.
 */
async function markTask(
  { ports }: LoopContext,
  task: Task,
  status: Task['status'],
): Promise<'done' | 'blocked' | null> {
  if (status !== 'done' && status !== 'blocked') return null;
  try {
    await ports.tracker.setStatus(task.id, status);
    return status;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    ports.emit({ kind: 'warning', message: `${task.id} could not be marked as ${status}: ${error.message}` });
    return null;
  }
}

/** A tracker under `.ralph/` is in no snapshot, so ticking it changes none. */
function trackerIsOwn({ root }: LoopContext, { paths }: LoadedTracker): boolean {
  return paths.every((path) => path.startsWith(`${root}/.ralph/`));
}
