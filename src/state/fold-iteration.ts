import { addReviews, addSummary } from 'ralph-actions/forms/record';
import { own } from 'ralph-kit/own';
import { actionRequestsOf, NO_TASK_DECISIONS } from '../domain/human/state.ts';
import { iterationPath } from '../domain/records/iteration-path.ts';
import type { JournalRecordOf } from '../domain/records/journal.ts';
import { advanceProfile, emptyProfile } from '../domain/records/profile.ts';
import {
  type AttemptSummary,
  type RunSummary,
  taskStateOf,
  type Workplace,
  workplaceStateOf,
} from '../domain/records/state.ts';
import { addRetries, type Unavailable } from '../domain/service.ts';
import { addSpent, allSpend, NOTHING_SPENT, type Spend, type SpendCell, spentOf } from '../domain/spend.ts';
import { isOutsideCause } from '../domain/verdict.ts';
import { type Draft, foldOutcomes, MAX_ATTEMPTS_PER_SERIES, setOwn, updateWorkplace } from './draft.ts';
import { endManual } from './fold-human.ts';
import {
  countInterventions,
  foldCheckpoint,
  foldRecovery,
  interventionsAfter,
  isDone,
} from './fold-interventions.ts';
import { foldPolicyIteration, foldPolicyStarted } from './fold-policy.ts';
import { foldSeriesChanged, foldSeriesEnded, foldSeriesStarted } from './fold-series.ts';
import { workAfter, workflowAfter } from './fold-work.ts';

type Started = JournalRecordOf<'iteration_started'>;
type Finished = JournalRecordOf<'iteration_finished'>;

export function foldIterationStarted(draft: Draft, record: Started): void {
  const { run, iteration, taskId, agent, mode, startedAt, timeoutSeconds } = record;
  const openIteration = { run, iteration, taskId, agent, mode, startedAt, timeoutSeconds };
  updateWorkplace(draft, record, { openIteration, phase: null });
  if (Object.hasOwn(draft.keptApart, taskId)) {
    const { [taskId]: _, ...others } = draft.keptApart;
    draft.keptApart = others;
  }
  draft.counters.iteration = Math.max(draft.counters.iteration, iteration);
  heardOf(draft, record, run);
  foldTakeover(draft, record);
  foldPolicyStarted(draft, record);
  foldCheckpoint(draft, record);
  foldSeriesStarted(draft, record);
  // If a task starts after it was done, you have reopened it.
  setOwn(draft.tasks, taskId, { ...taskStateOf(draft, taskId), inProgress: true, doneBy: null });
}

/** Records that an agent was replaced. It may have reached its limit in an earlier run. */
function foldTakeover(draft: Draft, { run: name, agent, takesOver }: Started): void {
  const from = takesOver?.from ?? '';
  const unavailable = own(draft.profiles, from)?.unavailable ?? null;
  if (unavailable === null) return;
  draft.runs = draft.runs.map((run) =>
    run.run === name ? { ...run, away: withAway(run.away, { agent: from, by: agent, unavailable }) } : run,
  );
}

function withAway(all: RunSummary['away'], one: RunSummary['away'][number]): RunSummary['away'] {
  const known = all.find(({ agent }) => agent === one.agent);
  return [...all.filter((other) => other !== known), { ...one, by: one.by ?? known?.by ?? null }];
}

/** Ends the attempt of a workplace, unless a newer one is open there. */
export function foldIterationEnd(draft: Draft, record: Workplace & { readonly iteration: number }): void {
  const open = workplaceStateOf(draft, record).openIteration;
  if (open?.iteration === record.iteration)
    updateWorkplace(draft, record, { openIteration: null, phase: null });
}

export function foldPhaseEntered(draft: Draft, record: JournalRecordOf<'phase_entered'>): void {
  const open = workplaceStateOf(draft, record).openIteration;
  if (open?.iteration !== record.iteration) return;
  const { phase: name, lands, at: since } = record;
  updateWorkplace(draft, record, { phase: { name, taskId: open.taskId, lands, since } });
  heardOf(draft, record, open.run);
}

/** Keeps the time of a run's newest record, which shows how long a killed run lasted. */
function heardOf(draft: Draft, { at }: { readonly at: string }, name: string): void {
  draft.runs = draft.runs.map((run) => (run.run === name ? { ...run, activeAt: at } : run));
}

/** Ends the landing phase of a task: its result has landed, waits, or was withdrawn. */
export function endLanding(draft: Draft, taskId: string): void {
  const place = draft.workplaces.find(({ phase }) => phase?.name === 'landing' && phase.taskId === taskId);
  if (place !== undefined) updateWorkplace(draft, place, { phase: null });
}

export function foldIterationFinished(draft: Draft, record: Finished): void {
  const { taskStatus, attempt, at } = record;
  const outside = isOutsideCause(attempt.verdict);
  const open = workplaceStateOf(draft, record).openIteration;
  const overtaken = open?.iteration === record.iteration && open.overtaken === true;
  foldIterationEnd(draft, record);
  // Nothing up to the recorded head counts as newly committed.
  draft.heads = { known: record.head };
  draft.counters.iteration = Math.max(draft.counters.iteration, record.iteration);
  countInterventions(draft, record);
  foldTask(draft, record);
  foldOutage(draft, record);
  foldSeriesChanged(draft, record, !outside);
  if (taskStatus === 'done') {
    foldSeriesEnded(draft, record.taskId);
    draft.first = draft.first.filter((id) => id !== record.taskId);
    const phase = { name: 'landing', taskId: record.taskId, lands: true, since: at } as const;
    updateWorkplace(draft, record, { phase });
  }
  if (record.rollback !== null) {
    updateWorkplace(draft, record, {
      openRollback: { ...record.rollback, isKept: false, taskId: record.taskId },
    });
  }
  // An automatic rollback never undoes verified work.
  if (taskStatus === 'done') updateWorkplace(draft, record, { checkpoints: [] });
  foldRun(draft, record);
  draft.reviews = addReviews(draft.reviews, record.reviews);
  foldOutcomes(draft, record.taskId, [...record.assessed, ...record.interventions]);
  foldFeedback(draft, record);
  foldRecovery(draft, record);
  foldPolicyIteration(draft, record);
  if (record.baseline !== null) draft.baseline = record.baseline;
  const settled = taskStatus === 'done' || taskStatus === 'parked' || record.blocked !== null;
  if (record.treeChanged || settled) draft.idleIterations = 0;
  else if (!outside) draft.idleIterations += 1;
  const profile = own(draft.profiles, attempt.agent) ?? emptyProfile(attempt.agent);
  const advanced = outside
    ? profile
    : advanceProfile(profile, {
        iteration: record.iteration,
        noFiles: record.noFiles,
        falseCompletion: record.falseCompletion,
        filesChanged: attempt.filesChanged,
        evidenceCount: record.evidenceCount,
        done: taskStatus === 'done',
        level: record.level,
        machine: record.machine,
        durationMs: attempt.verdict === 'timed_out' ? null : attempt.durationMs,
        reinforcedAt: record.reinforced ? at : null,
        thresholdExceeded: record.reinforced,
        suspend: record.suspendAgent,
      });
  const ended = { overtaken, outside, unavailable: record.unavailable };
  const unavailable = availabilityAfter(profile.unavailable, ended);
  if (record.unavailable !== null || !outside)
    setOwn(draft.profiles, attempt.agent, { ...advanced, unavailable });
  foldAway(draft, record);
  if (record.unavailable !== null) overtake(draft, attempt.agent);
}

function foldAway(draft: Draft, { run: name, attempt: { agent } }: Finished): void {
  const unavailable = own(draft.profiles, agent)?.unavailable ?? null;
  draft.runs = draft.runs.map((run) => {
    if (run.run !== name) return run;
    if (unavailable !== null) return { ...run, away: withAway(run.away, { agent, by: null, unavailable }) };
    return { ...run, away: run.away.filter((one) => one.agent !== agent) };
  });
}

function overtake(draft: Draft, agent: string): void {
  draft.workplaces = draft.workplaces.map((one) =>
    one.openIteration?.agent === agent
      ? { ...one, openIteration: { ...one.openIteration, overtaken: true as const } }
      : one,
  );
}

function foldTask(draft: Draft, record: Finished): void {
  const { run, iteration, taskId, title, taskStatus, at } = record;
  const task = taskStateOf(draft, taskId);
  const done = taskStatus === 'done';
  const isDecided = actionRequestsOf(draft.human, taskId).length === 0;
  if (done) endManual(draft, taskId);
  setOwn(draft.tasks, taskId, {
    ...task,
    ...interventionsAfter(task, record),
    attempts: done ? [] : boundSeries([...task.attempts, record.attempt]),
    cutOff: done ? task.cutOff : [],
    finished: record.attempt.verdict === 'gate_down' ? `${iterationPath(record)}/iteration.json` : null,
    inProgress: taskStatus === 'open' || taskStatus === 'in_progress',
    blocked: record.blocked,
    // The decision that the task waited for may have been made meanwhile.
    parked: taskStatus === 'parked' && !(isDecided && record.attempt.verdict === 'awaiting_human'),
    doneBy: done ? { kind: 'verdict', run, iteration, title, at } : null,
    settledAt: done || record.blocked !== null ? record.head : task.settledAt,
    timeoutSeconds: done ? null : task.timeoutSeconds,
    decisions: done ? NO_TASK_DECISIONS : task.decisions,
    unblocks: done ? { total: 0, automatic: 0 } : task.unblocks,
    // Marks in the task list are written after this record.
    staleMark: done || record.blocked !== null ? null : task.staleMark,
    unmarked: done || record.blocked !== null || task.unmarked,
    setAside: done ? null : task.setAside,
    takesUp: done ? false : task.takesUp,
    left: done ? [] : record.left,
    workflow: done ? null : (record.workflow?.next ?? task.workflow),
    prover: done ? null : (record.prover?.next ?? task.prover),
  });
}

/**
 * Minutes of the longest wait for gates that are down. The first wait is one minute, and each one is twice as long as
 * the last.
 */
const LONGEST_MINUTES = 30;

function foldOutage(draft: Draft, { gatesNow: { down, up }, attempt, at }: Finished): void {
  const outage = draft.outage;
  const gates = [...new Set([...(outage?.gates ?? []), ...down])].filter((gate) => !up.includes(gate));
  const idleSince = attempt.verdict === 'gate_down' ? (outage?.idleSince ?? at) : at;
  if (gates.length === 0) draft.outage = null;
  else if (down.length === 0) draft.outage = outage && { ...outage, gates, idleSince };
  else {
    const tries = (outage?.tries ?? 0) + 1;
    const minutes = Math.min(LONGEST_MINUTES, 2 ** Math.min(tries - 1, LONGEST_MINUTES));
    const until = new Date(Date.parse(at) + minutes * 60_000).toISOString();
    draft.outage = { gates, since: outage?.since ?? at, until, tries, idleSince };
  }
}

/** Limits the attempts of a series. Waits and outages are dropped first, because failed attempts lead to blocking. */
function boundSeries(attempts: AttemptSummary[]): AttemptSummary[] {
  if (attempts.length <= MAX_ATTEMPTS_PER_SERIES) return attempts;
  const index = attempts.findIndex((attempt) => isOutsideCause(attempt.verdict));
  return attempts.toSpliced(Math.max(index, 0), 1);
}

function foldRun(draft: Draft, record: Finished): void {
  foldSpend(draft, record);
  const index = draft.runs.findLastIndex((run) => run.run === record.run);
  const run = draft.runs[index];
  if (run === undefined) return;
  const { taskId, taskStatus, blocked } = record;
  const doneNow = taskStatus === 'done';
  const blockedNow = blocked !== null || taskStatus === 'blocked';
  const next: RunSummary = {
    ...run,
    activeAt: record.at,
    iterations: run.iterations + 1,
    work: workAfter(run.work, record),
    done: doneNow ? withItem(run.done, taskId) : run.done,
    blocked: blockedNow ? withItem(run.blocked, taskId) : run.blocked.filter((id) => id !== taskId),
    ...addSpent(run, spentOf(allSpend(record))),
    interventions: run.interventions + record.interventions.filter(isDone).length,
    reviews: addSummary(run.reviews, record.reviews),
    workflow: workflowAfter(run, record),
    prover: proverIn(run, record),
    retried:
      record.retries === undefined
        ? run.retried
        : addRetries(run.retried, { agent: record.attempt.agent, ...record.retries }),
  };
  draft.runs[index] = next;
}

function proverIn(run: RunSummary, { prover }: Finished): RunSummary['prover'] {
  if (prover === null || prover.agent === null) return run.prover;
  const { agents, kept, withdrawn, ...spent } = run.prover ?? NO_PROVER;
  return {
    agents: withItem(agents, prover.agent),
    kept: kept + prover.kept,
    withdrawn: withdrawn + prover.withdrawn,
    ...addSpent(spent, spentOf(prover.spend)),
  };
}

const NO_PROVER: NonNullable<RunSummary['prover']> = {
  agents: [],
  kept: 0,
  withdrawn: 0,
  ...NOTHING_SPENT,
};

/** Adds usage per task, because old runs are dropped. */
function foldSpend(draft: Draft, record: Finished): void {
  const { run, iteration, taskId, attempt, spend, workflow, prover } = record;
  const { agent, model, session } = attempt;
  const sessionId = session?.id ?? null;
  draft.lastAttempt = { run, iteration, taskId, agent, model, sessionId, ...spentOf(spend) };
  const ofProver = prover === null ? [] : [{ agent: prover.agent ?? '', spend: prover.spend }];
  addSpendCells(draft, taskId, [{ agent, spend }, ...(workflow?.spend ?? []), ...ofProver]);
}

export function addSpendCells(
  draft: Draft,
  taskId: string,
  all: readonly { readonly agent: string; readonly spend: readonly Spend[] }[],
): void {
  if (all.every(({ spend }) => spend.length === 0)) return;
  const cells = new Map((own(draft.spend, taskId) ?? []).map((cell) => [cellKey(cell), cell]));
  for (const { agent: by, spend: used } of all)
    for (const one of used) {
      const cell: SpendCell = { agent: by, model: one.model, ...spentOf([one]) };
      const key = cellKey(cell);
      cells.set(key, { ...cell, ...addSpent(cell, cells.get(key) ?? NOTHING_SPENT) });
    }
  setOwn(draft.spend, taskId, [...cells.values()]);
}

function cellKey({ agent, model }: SpendCell): string {
  return JSON.stringify([agent, model]);
}

export function withItem<T>(items: T[], item: T): T[] {
  return items.includes(item) ? items : [...items, item];
}

/**
 * Replaces the task's feedback by the loop with newer feedback; a done task keeps none. After an outage or your stop,
 * feedback stays unchanged; after a conflict, it doesn't.
 */
function foldFeedback(draft: Draft, record: Finished): void {
  const { verdict } = record.attempt;
  if (isOutsideCause(verdict) && verdict !== 'conflict') return;
  const { taskId } = record;
  const done = record.taskStatus === 'done';
  const kept = draft.feedback.filter(
    (entry) => entry.taskId !== taskId || (entry.source !== 'loop' && !done),
  );
  const seen = new Set<string>();
  const fresh = record.feedback.filter((entry) => {
    const key = JSON.stringify([entry.taskId, entry.kind, entry.text]);
    if (seen.has(key) || (done && entry.taskId === taskId)) return false;
    seen.add(key);
    return true;
  });
  draft.feedback = [...kept, ...fresh];
}

type Ended = {
  /** Whether the attempt began before the agent was last found unavailable. */
  readonly overtaken: boolean;
  /** Whether an outside cause ended the attempt. */
  readonly outside: boolean;
  readonly unavailable: Unavailable | null;
};

/**
 * Returns the agent's availability after an attempt. Attempts that began earlier neither end a limit that another
 * attempt reached, nor count as repeated tries if they reach it, too.
 */
function availabilityAfter(
  known: Unavailable | null,
  { overtaken, outside, unavailable }: Ended,
): Unavailable | null {
  if (known !== null && overtaken) return unavailable === null ? known : worse(known, unavailable);
  // If you stopped the attempt, it shows nothing about the agent, so the known state stays.
  return unavailable === null && outside ? known : unavailable;
}

/** Returns both states combined: the later end and the earlier beginning. */
function worse(known: Unavailable, other: Unavailable): Unavailable {
  const longer = endOf(other) > endOf(known) ? other : known;
  return { ...longer, since: known.since, tries: Math.max(known.tries, other.tries) };
}

function endOf({ until }: Unavailable): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}
