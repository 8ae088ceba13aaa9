import { endingOfPick, selectTask } from '../decide/index.ts';
import { EXIT } from '../domain/exit.ts';
import { type IncidentSummary, pausingIncident } from '../domain/incident.ts';
import { hasBudget, type PolicyStop } from '../domain/policy.ts';
import type { State } from '../domain/records/state.ts';
import { countTasks } from '../domain/task.ts';
import { uncheckedBy } from '../proof/gates/index.ts';
import { needsResume } from '../respond/table.ts';
import { policyAtStart } from '../state/index.ts';
import { continueCommand, FIRST_COMMIT } from '../tell/index.ts';
import type { LoopContext, Progress, Refusal } from './context.ts';
import { findDelivered } from './fleet/find-delivered.ts';
import { landOnBranch } from './land-on-branch.ts';
import { limitOf, scopeOf } from './limit-of.ts';
import { loadReconciled } from './load-reconciled.ts';
import { overlaid } from './load-tasks.ts';
import { landLine } from './perform/land-work.ts';
import { finishTakeBack } from './perform/take-back.ts';
import { budgetLimits } from './policy-facts.ts';
import { finishLeft, forgetLostTrees, keepPrepared, keepRemoved, recoverInterrupted } from './recover.ts';
import { askAboutMarks, fixTracker } from './settle-marks.ts';
import { NO_COMMIT } from './start/prepare-copy.ts';
import { takeBaseline } from './take-baseline.ts';
import { unblockTasks } from './unblock-tasks.ts';

export type RunStart =
  /** The run has started, with the gates that count in it. */
  | { readonly kind: 'started'; readonly progress: Progress; readonly gates: LoopContext['gates'] }
  /** The run doesn't start: the configuration, the tracker or tools have to be fixed first (exit code 2). */
  | (Refusal & { readonly kind: 'refused' });

/**
 * Starts a run: recovers what a dead run left, checks that there are tasks, takes the baseline of gates, and records
 * the start.
 */
export async function startRun(context: LoopContext, startedAt: string): Promise<RunStart> {
  const { ports, run, adapters, mode } = context;
  const { store } = ports;
  const agent = adapters[0].name;
  await forgetLostTrees(context);
  const cutOff = await recoverInterrupted(context);
  await keepPrepared(context);
  const undelivered = await findDelivered(context);
  if (undelivered !== null) return { ...undelivered, kind: 'refused' };
  await finishTakeBack(context);
  const refusal = refusalBefore(store.state);
  if (refusal !== null) return { ...refusal, kind: 'refused' };
  const loaded = await loadReconciled(context, { cutOff, running: false });
  if (!loaded.ok) return refused(loaded.message, loaded.next ?? 'ralph doctor');
  await fixTracker(context, loaded.tracker);
  await askAboutMarks(context, loaded.tasks);
  const first = { ...loaded, tasks: overlaid(loaded.tracker, store.state) };
  const pick = selectTask(first.tasks, store.state.tasks, context.only);
  if (pick.kind === 'unknown_task' || pick.kind === 'empty')
    return refused(endingOfPick(pick).reason, 'ralph tasks');
  await finishLeft(context);
  await keepRemoved(context, first.tasks);
  const unusable = await landOnBranch(context, run, 'per_run');
  if (unusable !== null) return refused(unusable, 'ralph doctor');
  const line = await ports.line.current();
  if (line === null) return refused(NO_COMMIT, FIRST_COMMIT);
  const baseline = await takeBaseline(context, line);
  if (baseline.kind === 'refused') return { ...baseline, next: 'ralph gates' };
  const { gates } = baseline;

  const { head } = await ports.git.refs();
  const place = context.workplace;
  const unchecked = [...uncheckedBy(store.state.baseline, gates)];
  const scope = scopeOf(context, first.tasks);
  const asked = first.tasks.filter(({ id, status }) => scope?.has(id) && status !== 'done');
  store.commit((state) => [
    {
      ...({ type: 'run_started', run, agent, mode: mode.name, startedAt } as const),
      ...ports.process,
      workers: context.workers.length,
      unchecked,
      head,
      ...place,
      model: context.model,
      until: context.runUntil,
      tracker: first.tracker.name,
      tasks: countTasks(first.tasks),
      asked: scope === null ? null : asked.length,
      attempts: context.retry?.attempts ?? context.config.loop.max_attempts_per_task,
      iterations: limitOf(context, scope, { tasks: first.tasks, startedTasks: new Map() }),
      box: { line: context.box.line, outside: [...context.box.outside] },
      budget: budgetFor(context, state),
    },
  ]);
  if (context.retry !== undefined) {
    const { unblockings, fresh } = context.retry;
    unblockTasks(context, unblockings, first.tracker, { automatic: false, fresh });
  }
  if (line.results.length > 0)
    await landLine({ ...context, gates }, store.iterationFolder(run, 0), { asksHooks: true });
  const progress: Progress = {
    iterations: 0,
    counted: 0,
    attempts: new Map(),
    startedTasks: new Map(),
    took: { count: 0, agentMs: 0, gatesMs: 0 },
    shortages: new Set(),
    agent,
    sinceChoice: { reconciled: first.reconciled, autoUnblocked: [], waits: [], checkpoints: [] },
    budgetStep: 'none',
    awaited: null,
    tasks: first.tasks,
  };
  return { kind: 'started', progress, gates };
}

function refused(message: string, next: string): RunStart {
  return { kind: 'refused', message, next };
}

/** Returns the limits of the budget and the costs since it began; `null`: no limit is set. */
function budgetFor({ ports, config }: LoopContext, state: State) {
  const limits = budgetLimits(config);
  if (!hasBudget(limits)) return null;
  const now = ports.clock.now();
  const { spent, since } = policyAtStart(state, now).budget;
  return { limits, spent, since: since ?? now };
}

/** Names of the policies at the beginning of a sentence. */
const POLICY_NAMES: Readonly<Record<PolicyStop['kind'], string>> = {
  break: 'The Wiggum Break',
  budget: 'The budget',
  checkpoint: 'A checkpoint',
};

/** Returns why no run starts before you decide something; `null`: one may start. */
export function refusalBefore(state: Pick<State, 'incidents' | 'policy'>): Required<Refusal> | null {
  const incident = pausingIncident(state);
  const next = continueCommand(state, true);
  if (incident !== null) return { message: incidentRefusal(incident), next, exitCode: EXIT.emergencyStop };
  const { stop } = state.policy;
  if (stop === null || !needsResume(stop)) return null;
  const exitCode = stop.kind === 'budget' ? EXIT.budget : EXIT.break;
  return { message: stopRefusal(stop), next, exitCode };
}

function stopRefusal({ kind, run, reason, times }: PolicyStop): string {
  const often = kind === 'break' ? '' : ` for the ${times === 3 ? 'third' : `${times}th`} time`;
  return [
    `${POLICY_NAMES[kind]} stopped run ${run}${often}: ${reason}`,
    'The hand-off is in .ralph/control-center.md.',
  ].join('\n');
}

function incidentRefusal({ id, summary, taskId }: IncidentSummary): string {
  return [
    `Runs are paused until you resolve ${id} (${taskId}): ${summary}`,
    `Read it first: ralph incidents show ${id}`,
  ].join('\n');
}
