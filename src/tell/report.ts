import { addSummary } from 'ralph-actions/forms/record';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { firstFew, pathText } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { isRed } from '../domain/gate.ts';
import { NOT_TRIED, runsBefore } from '../domain/gate-baseline.ts';
import { type Cost, hasBudget, spentUntil } from '../domain/policy.ts';
import type { Suggestion } from '../domain/records/blocked.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import type { RunEnd } from '../domain/records/run-record.ts';
import type { RunSummary, State, TaskWork } from '../domain/records/state.ts';
import { BlockedAction } from '../domain/review.ts';
import { type DoneTask, type RunReport, refusedHosts, type TreeReport } from '../domain/run-report.ts';
import { addRetries } from '../domain/service.ts';
import { addSpent, NOTHING_SPENT, type Spent } from '../domain/spend.ts';
import { countTasks, type Task, withoutText } from '../domain/task.ts';
import { ranNoTests, resultsText } from '../domain/test-results.ts';
import { resultsThatWait } from '../domain/work-place.ts';
import { countsText, headlineOf } from './headline.ts';
import { nextCommands } from './next-commands.ts';
import { openTasks } from './open-tasks.ts';

export type ReportFacts = {
  readonly run: RunSummary;
  /** Earlier runs in the same report, oldest first. */
  readonly earlier: readonly RunSummary[];
  /** End of the run; `null`: it is running, or was killed. */
  readonly end: RunEnd | null;
  readonly running: boolean;
  /**
   * Whether the run is the newest, which reports all unfinished tasks. An older run reports only tasks that it worked
   * on.
   */
  readonly newest: boolean;
  readonly baseline: State['baseline'];
  readonly tasks: readonly Task[];
  readonly state: State;
  /** Command with which work continues (`continueCommand`). */
  readonly continues: string;
  readonly limits: Cost;
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
  /** Returns a suggestion for a blocked task; `null`: no suggestions are wanted. */
  readonly suggest: ((task: Task) => Suggestion) | null;
};

export function reportRun(given: ReportFacts): RunReport {
  const { earlier } = given;
  const [oldest = given.run, ...later] = [...earlier, given.run];
  const facts: ReportFacts = { ...given, run: mergeRuns([oldest, ...later]) };
  const { run, end, tasks, state, newest } = facts;
  const names = new Set([...earlier, run].map((one) => one.run));
  const worked = new Set(run.work.map(({ taskId }) => taskId));
  const open = openTasks(facts);
  const doneInRun = doneTasks(facts);
  const tree = treeOf(facts);
  const notCommitted = resultsThatWait(state, tasks).filter(
    ({ id }) => newest || run.skippedCommits.some(({ taskId }) => taskId === id),
  );
  const times = timesOf(facts, given);
  const unchecked = tree.passing.length > 0 ? [] : run.unchecked;
  const tasksBy = countTasks(tasks);
  const counts = countsText(tasksBy, open, notCommitted.length);
  const events = state.events.filter((event) => names.has(event.run));
  const falseClaims = run.work.flatMap(({ taskId, falseClaims: count }) =>
    count === 0 ? [] : [{ taskId, count }],
  );
  return {
    run: run.run,
    runs: [...names],
    agent: run.agent,
    mode: run.mode,
    startedAt: run.startedAt,
    ...times,
    headline: headlineOf({
      ...times,
      counts,
      open,
      unchecked,
      away: run.away,
      resume: state.policy.stop === null ? null : facts.continues,
      incident: state.incidents.findLast((one) => names.has(one.run) && one.scope === 'run') ?? null,
    }),
    counts,
    iterations: run.iterations,
    tasks: tasksBy,
    tree,
    doneInRun,
    unfinished: newest ? open : open.filter(({ id }) => worked.has(id)),
    notCommitted,
    push: pushIn(facts, names),
    liesCaught: falseClaims.reduce((sum, { count }) => sum + count, 0),
    falseClaims,
    commandsRefused: events.filter(({ event_type }) => event_type === 'command_refused').length,
    refusedHosts: refusedHosts(events),
    commandsRewritten: events.filter(({ event_type }) => event_type === 'command_rewritten').length,
    failedRules: [
      ...new Set(
        events
          .filter(({ event_type }) => event_type === 'rule_failed')
          .map(({ details }) => String(details.summary)),
      ),
    ],
    unreachable: unreachableTexts(events),
    signInsKept: events
      .filter(({ event_type }) => event_type === 'sign_in_kept')
      .map(({ details }) => String(details.summary)),
    unchecked,
    builtAnew: builtAnewText(facts),
    reviewSummary: run.reviews,
    blockedActions: blockedActions(events),
    deniedActions: deniedActions(events),
    gateLost: end?.gateLost ?? [],
    retried: run.retried,
    spent: spentIn(run),
    budget: newest && hasBudget(facts.limits) ? budgetIn(facts) : null,
    perVerifiedTask: perVerifiedTask(run),
    prover: run.prover,
    roles: rolesIn(run),
    deferredWarnings: run.workflow?.deferred ?? 0,
    proposals: state.proposals.flatMap(({ id, by, tasks }) =>
      by.kind === 'attempt' && names.has(by.run)
        ? [{ id, taskId: by.taskId, titles: tasks.map(({ title }) => title) }]
        : [],
    ),
    next: newest
      ? nextCommands({
          state,
          continues: facts.continues,
          open,
          running: facts.running,
          ending: end?.ending ?? null,
          waiting: notCommitted,
          // Work that waits to land is neither committed nor in your checkout.
          done: doneInRun.filter(({ id }) => notCommitted.every((one) => one.id !== id)),
        })
      : ['ralph report'],
  };
}

/** Returns a sentence for each channel that failed, however often, with the newest reason. */
function unreachableTexts(events: readonly InterventionEvent[]): string[] {
  const failed = events.filter(({ event_type }) => event_type === 'notification_failed');
  const reasons = new Map(failed.map(({ details }) => [String(details.channel), String(details.error)]));
  return [...reasons].map(
    ([channel, error]) => `Not everything got through by ${channel}: ${error}. Try it: ralph notify test`,
  );
}

function pushIn({ state: { push }, newest }: ReportFacts, runs: ReadonlySet<string>): RunReport['push'] {
  if (push === null || !(newest || runs.has(push.run))) return null;
  const { run: _, ...result } = push;
  return result;
}

function rolesIn({ workflow }: RunSummary): RunReport['roles'] {
  const { score, spend } = workflow ?? { score: { roles: [] }, spend: [] };
  return score.roles.map((role) => {
    const used = spend.filter((one) => one.role === role.role);
    return {
      ...role,
      agents: used.map(({ agent }) => agent),
      spent: used.reduce<Spent>(addSpent, NOTHING_SPENT),
    };
  });
}

function budgetIn({ limits, state, running, now }: ReportFacts): RunReport['budget'] {
  const { budget } = state.policy;
  return { limits, spent: spentUntil(budget, running ? now : (budget.activeAt ?? now)) };
}

/** Returns the end of the report's runs, and how their time was spent. Time between runs isn't included. */
function timesOf(facts: ReportFacts, given: ReportFacts): End & Pick<RunReport, 'time' | 'speedUp'> {
  const end = endOf({ ...facts, run: { ...facts.run, startedAt: given.run.startedAt } });
  const durationMs = given.earlier.reduce((sum, run) => sum + lastedMs(run), end.durationMs);
  const attemptsMs = facts.run.work.reduce((sum, work) => sum + work.durationMs, 0);
  const agentMs = facts.run.work.reduce((sum, work) => sum + work.agentMs, 0);
  const waitedMs = facts.run.work.reduce((sum, work) => sum + work.waitedMs, 0);
  const checksMs = Math.max(0, attemptsMs - agentMs - waitedMs);
  const time = { agentMs, checksMs, waitedMs, otherMs: Math.max(0, durationMs - attemptsMs) };
  // The recorded work lacks attempts that are running or were cut off.
  const isWhole = [
    given.end?.ending.kind ?? given.run.ending,
    ...given.earlier.map((run) => run.ending),
  ].every((ending) => ending !== null);
  const speedUp = isWhole && agentMs > 0 ? speedUpOf(facts.run, durationMs) : null;
  return { ...end, durationMs, time, speedUp };
}

/**
 * Returns the gain from several workers; work undone by conflicts and waits for a turn are left out. `null`: it can't
 * be calculated.
 */
function speedUpOf({ workers, work }: RunSummary, durationMs: number): RunReport['speedUp'] {
  const sum = (of: (one: TaskWork) => number) => work.reduce((all, one) => all + of(one), 0);
  const workMs = sum((one) => one.durationMs - one.waitedMs - one.lostMs);
  if (workers === 1 || durationMs === 0 || workMs === 0) return null;
  const factor = Math.round((workMs / durationMs) * 100) / 100;
  const conflicts = sum((one) => one.conflicts);
  return { workers, workMs, factor, conflicts, lostMs: sum((one) => one.lostMs) };
}

type End = Pick<RunReport, 'endedAt' | 'ending' | 'endedWith' | 'reason' | 'durationMs'>;

function endOf({ run, end, running, now }: ReportFacts): End {
  const lasted = (until: string) => Math.max(0, Date.parse(until) - Date.parse(run.startedAt));
  const endedAt = running ? null : (end?.endedAt ?? run.endedAt ?? run.activeAt);
  if (end !== null) {
    const { kind: ending, exitCode: endedWith, reason } = end.ending;
    return { endedAt, ending, endedWith, reason, durationMs: lasted(end.endedAt) };
  }
  const { exitCode: endedWith } = run;
  if (run.ending !== null) {
    const reason = 'It ended; why is no longer on record.';
    return {
      endedAt,
      ending: run.ending,
      endedWith,
      reason,
      durationMs: lasted(run.endedAt ?? run.activeAt),
    };
  }
  const durationMs = lasted(running ? now : run.activeAt);
  return running
    ? { endedAt, ending: null, endedWith, reason: 'The run is active.', durationMs }
    : { endedAt, ending: 'crashed', endedWith, reason: CUT_OFF, durationMs };
}

const CUT_OFF = 'Cut off: the run was killed, or the machine went down. The next one continues.';

function doneTasks({ run, tasks }: ReportFacts): DoneTask[] {
  const listed = new Map(tasks.map((task) => [task.id, task]));
  const worked = new Map(run.work.map((work) => [work.taskId, work]));
  return run.done.map((id) => {
    const [task, work] = [listed.get(id), worked.get(id)];
    const {
      attempts,
      conflicts,
      durationMs,
      falseClaims,
      commits,
      branch,
      signs,
      grade,
      mutants,
      criteria,
      ...spent
    } = work ?? NO_WORK;
    const now = { id, title: task?.title ?? work?.title ?? id, status: task?.status ?? null };
    const took = { attempts, conflicts, durationMs, spent: spentIn(spent), falseClaims };
    const without = task === undefined ? null : withoutText(task);
    const seen = without === null ? signs : [...signs, `Done ${without}.`];
    return { ...now, ...took, commits, branch, signs: seen, grade, mutants, criteria };
  });
}

const NO_WORK: Omit<TaskWork, 'taskId' | 'title' | 'iteration'> = {
  attempts: 0,
  conflicts: 0,
  durationMs: 0,
  agentMs: 0,
  waitedMs: 0,
  lostMs: 0,
  ...NOTHING_SPENT,
  falseClaims: 0,
  commits: [],
  branch: null,
  signs: [],
  grade: 'none',
  mutants: null,
  criteria: [],
};

/** Smallest number of rebuilt files that is reported: fewer cost no noticeable time. */
const FEWEST_BUILT = 5;
const BUILT_NAMED = 5;

function builtAnewText({ baseline }: ReportFacts): string | null {
  const { folders, tookMs } = baseline?.builtAnew ?? NOT_TRIED.builtAnew;
  const files = folders.reduce((sum, one) => sum + one.files, 0);
  if (files < FEWEST_BUILT) return null;
  const paths = folders.map(({ path }) => path);
  const keep = `keep = [${paths.map((path) => JSON.stringify(path)).join(', ')}]`;
  return `Gates build ${counted(files, 'file')} in ${firstFew(paths.map(pathText), BUILT_NAMED)} anew each time, and took ${formatDuration(tookMs)} with that. [gates] ${keep} spares what you have built of the same code.`;
}

/** Returns the gates' results on the last verified tree. Unfinished work is only in the agents' copies. */
function treeOf({ baseline }: ReportFacts): TreeReport {
  const runs = runsBefore(baseline);
  const named = (kept: typeof runs) => kept.map(({ name }) => name);
  const failing = named(runs.filter(({ outcome }) => isRed(outcome)));
  const passing = named(runs.filter(({ outcome }) => outcome.kind === 'passed'));
  const tests = runs
    .flatMap(({ name: gate, results: now }) =>
      now === null ? [] : [{ gate, reported: resultsText({ now, before: null }) }],
    )
    .filter(({ reported }) => reported !== '');
  const empty = ranNoTests(runs);
  const proven = passing.filter((name) => !empty.includes(name));
  const state = failing.length > 0 ? 'red' : proven.length > 0 ? 'green' : 'unknown';
  return { state, passing, failing, tests, empty };
}

/** Returns time and usage per verified task, with failed attempts; `null`: no task was verified. */
function perVerifiedTask(run: RunSummary): RunReport['perVerifiedTask'] {
  const { work, done, tokens, costUsd, estimatedUsd } = run;
  const count = done.length;
  if (count === 0 || work.length === 0) return null;
  const durationMs = work.reduce((sum, one) => sum + one.durationMs, 0);
  return {
    durationMs: Math.round(durationMs / count),
    spent: {
      tokens: Math.round(tokens / count),
      costUsd: costUsd / count,
      estimatedUsd: estimatedUsd / count,
    },
  };
}

function spentIn({ tokens, costUsd, estimatedUsd }: Spent): Spent {
  return { tokens, costUsd, estimatedUsd };
}

/** Returns numbers of denied actions from the events, which have the review of each attempt. */
function deniedActions(events: State['events']): RunReport['deniedActions'] {
  const denials = events.filter(({ event_type }) => event_type === 'action_denied');
  const count = (some: typeof denials) =>
    some.reduce((sum, { details }) => sum + Number(details.denied ?? 1), 0);
  return {
    count: count(denials),
    begun: count(denials.filter(({ details }) => details.mode === 'detect')),
    iterations: [...new Set(denials.map(({ iteration }) => iteration))],
  };
}

const BLOCKED = 50;

function blockedActions(events: State['events']): RunReport['blockedActions'] {
  return events
    .filter(({ event_type }) => event_type === 'action_denied')
    .flatMap(({ details }) => z.array(BlockedAction).safeParse(details.actions).data ?? [])
    .slice(-BLOCKED);
}

function mergeRuns(runs: readonly [RunSummary, ...RunSummary[]]): RunSummary {
  const [first, ...rest] = runs;
  return rest.reduce(
    (before, run) => ({
      ...run,
      startedAt: before.startedAt,
      workers: Math.max(before.workers, run.workers),
      iterations: before.iterations + run.iterations,
      done: [...new Set([...before.done, ...run.done])],
      blocked: [...new Set([...before.blocked, ...run.blocked])],
      work: mergeWork(before.work, run.work),
      ...addSpent(before, run),
      interventions: before.interventions + run.interventions,
      reviews: addSummary(before.reviews, run.reviews),
      skippedCommits: [
        ...before.skippedCommits.filter(({ taskId }) =>
          run.skippedCommits.every((one) => one.taskId !== taskId),
        ),
        ...run.skippedCommits,
      ],
      workflow: run.workflow ?? before.workflow,
      retried: run.retried.reduce(addRetries, before.retried),
    }),
    first,
  );
}

function mergeWork(before: readonly TaskWork[], after: readonly TaskWork[]): TaskWork[] {
  const later = new Map(after.map((work) => [work.taskId, work]));
  const known = before.map((work) => {
    const again = later.get(work.taskId);
    later.delete(work.taskId);
    return again === undefined
      ? work
      : {
          ...again,
          attempts: work.attempts + again.attempts,
          conflicts: work.conflicts + again.conflicts,
          durationMs: work.durationMs + again.durationMs,
          agentMs: work.agentMs + again.agentMs,
          waitedMs: work.waitedMs + again.waitedMs,
          lostMs: work.lostMs + again.lostMs,
          ...addSpent(work, again),
          falseClaims: work.falseClaims + again.falseClaims,
          commits: [...new Set([...work.commits, ...again.commits])],
          branch: again.branch ?? work.branch,
        };
  });
  return [...known, ...later.values()];
}

/** Returns the milliseconds that a run lasted by the clock; for a killed run, until its last sign of life. */
export function lastedMs({ startedAt, endedAt, activeAt }: RunSummary): number {
  return Math.max(0, Date.parse(endedAt ?? activeAt) - Date.parse(startedAt));
}
