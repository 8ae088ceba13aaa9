import { own } from 'ralph-kit/own';
import type { RunEnding } from '../domain/exit.ts';
import {
  addCost,
  type BudgetWindow,
  type Cost,
  EMPTY_POLICY,
  LESSON_PATHS_KEPT,
  LESSON_TASKS_KEPT,
  LESSONS_KEPT,
  type Lesson,
  NO_COST,
  type PolicyState,
} from '../domain/policy.ts';
import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { type State, workplaceStateOf } from '../domain/records/state.ts';
import { allSpend, costOf, spentOf } from '../domain/spend.ts';
import { VERDICT_COUNTING } from '../domain/verdict.ts';
import { type Draft, setOwn } from './draft.ts';

function change(draft: Draft, more: Partial<PolicyState>): void {
  draft.policy = { ...draft.policy, ...more };
}

/**
 * Returns the policies' state when a run starts at this time. A budget continues over runs until the list is done, or
 * you begin a new one.
 */
export function policyAtStart(state: Pick<State, 'policy' | 'runs'>, at: string): PolicyState {
  const { policy, runs } = state;
  const budget = budgetAtStart(state, at);
  const started = { ...policy, budget, stop: null };
  if (budget.since !== policy.budget.since)
    return {
      ...started,
      quality: { first: null, last: null },
      checkpoint: { ...policy.checkpoint, at, done: 0 },
    };
  // Time between two runs isn't work. After a killed run, unsaved work is left, so its checkpoint time stays.
  const isOver = runs.at(-1)?.endedAt != null;
  return isOver ? { ...started, checkpoint: { ...policy.checkpoint, at } } : started;
}

function budgetAtStart(
  { policy: { budget }, runs }: Pick<State, 'policy' | 'runs'>,
  at: string,
): BudgetWindow {
  const { since } = budget;
  if (since === null || runs.at(-1)?.ending === 'all_done')
    return { since: at, spent: NO_COST, runStartedAt: at, activeAt: at };
  const spent = addCost(budget.spent, { ...NO_COST, ms: between(budget.runStartedAt, budget.activeAt) });
  return { since, spent, runStartedAt: at, activeAt: at };
}

export function foldPolicyRunStarted(draft: Draft, at: string): void {
  draft.policy = policyAtStart(draft, at);
}

function between(from: string | null, to: string | null): number {
  return from === null || to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Adds time and costs. Attempts of a killed run may end in any order. */
function active(draft: Draft, at: string, cost: Cost = NO_COST): void {
  const { budget } = draft.policy;
  const { activeAt: known } = budget;
  const activeAt = known !== null && known > at ? known : at;
  change(draft, { budget: { ...budget, activeAt, spent: addCost(budget.spent, cost) } });
}

export function foldPolicyRunFinished(draft: Draft, at: string, ending: RunEnding): void {
  active(draft, at);
  // If a run ended because no task could start, a break has nothing to prevent.
  if (ending === 'all_done' || ending === 'all_blocked' || ending === 'awaiting_human')
    change(draft, { armed: null });
}

/** Counts an attempt at its start, so that one that is killed counts, too. */
export function foldPolicyStarted(draft: Draft, { at }: JournalRecordOf<'iteration_started'>): void {
  active(draft, at, { ...NO_COST, iterations: 1 });
}

export function foldInterruptedCost(draft: Draft, record: JournalRecordOf<'iteration_interrupted'>): void {
  const { cost, taskId } = record;
  const { usd, tokens, ms } = cost;
  const began = workplaceStateOf(draft, record).openIteration?.startedAt ?? record.at;
  active(draft, new Date(Date.parse(began) + ms).toISOString(), { ...NO_COST, usd, tokens });
  addToTask(draft, taskId, cost);
}

export function foldLostCost(draft: Draft, { at, cost, taskId }: JournalRecordOf<'attempt_lost'>): void {
  active(draft, at, cost);
  addToTask(draft, taskId, cost);
}

function addToTask(draft: Draft, taskId: string, cost: Cost): void {
  const tasks = { ...draft.policy.tasks };
  setOwn(tasks, taskId, addCost(own(tasks, taskId) ?? NO_COST, cost));
  change(draft, { tasks });
}

export function foldPolicyIteration(draft: Draft, record: JournalRecordOf<'iteration_finished'>): void {
  const { at, attempt, taskId, taskStatus, breaks } = record;
  const { infrastructure: outside } = VERDICT_COUNTING[attempt.verdict];
  const used = costOf(spentOf(allSpend(record)));
  active(draft, at, { ...NO_COST, ...used, iterations: outside ? -1 : 0 });
  addToTask(draft, taskId, {
    ...used,
    iterations: outside ? 0 : 1,
    ms: between(attempt.startedAt, at),
  });
  // Another worker's attempt may have begun before the break was armed.
  const armed = draft.policy.armed?.hard === true ? draft.policy.armed : breaks.armed;
  change(draft, { ...breaks, armed, lessons: lessonsAfter(draft.policy.lessons, record) });
  if (taskStatus === 'done') foldTaskDone(draft, record);
}

function foldTaskDone(draft: Draft, record: JournalRecordOf<'iteration_finished'>): void {
  const { taskId, level, quality: score } = record;
  const { checkpoint, quality } = draft.policy;
  const tasks = { ...draft.policy.tasks };
  const levels = { ...draft.policy.levels };
  const known = own(levels, level) ?? { tasks: 0, cost: NO_COST };
  setOwn(levels, level, {
    tasks: known.tasks + 1,
    cost: addCost(known.cost, own(tasks, taskId) ?? NO_COST),
  });
  Reflect.deleteProperty(tasks, taskId);
  change(draft, { tasks, levels, checkpoint: { ...checkpoint, done: checkpoint.done + 1 } });
  if (score === null) return;
  const last = { taskId, score };
  change(draft, { quality: { first: quality.first ?? last, last } });
}

/**
 * Returns the lessons after an attempt. A finding of two attempts becomes a lesson. If a prompt had the lesson, it is
 * counted whether the finding came back.
 */
function lessonsAfter(lessons: readonly Lesson[], record: JournalRecordOf<'iteration_finished'>): Lesson[] {
  const { cycle, lessons: shown, taskId, title, at } = record;
  if (cycle === null) return [...lessons];
  const found = new Map(cycle.findings.map((one) => [one.key, one.summary]));
  const known = lessons.map((lesson) => {
    const summary = found.get(lesson.key);
    found.delete(lesson.key);
    const wasShown = shown.includes(lesson.key) ? 1 : 0;
    if (summary === undefined) {
      const corrected = correctionBy(lesson, record);
      return wasShown === 0 && corrected === lesson.corrected
        ? lesson
        : { ...lesson, shown: lesson.shown + wasShown, corrected };
    }
    const others = lesson.tasks.filter((one) => one.taskId !== taskId);
    return {
      ...lesson,
      text: summary,
      count: lesson.count + 1,
      tasks: [...others, { taskId, title }].slice(-LESSON_TASKS_KEPT),
      lastAt: at,
      shown: lesson.shown + wasShown,
      cameBack: lesson.cameBack + wasShown,
    };
  });
  const fresh = [...found].map(([key, text]) => ({
    key,
    text,
    count: 1,
    tasks: [{ taskId, title }],
    lastAt: at,
    shown: 0,
    cameBack: 0,
    corrected: null,
  }));
  const all = [...known, ...fresh];
  if (all.length <= LESSONS_KEPT) return all;
  const kept = new Set(all.toSorted((a, b) => b.count - a.count).slice(0, LESSONS_KEPT));
  return all.filter((lesson) => kept.has(lesson));
}

/** Returns the paths of a task that had the finding and is now done without it; they are shown as the cure. */
function correctionBy(
  { tasks, corrected }: Lesson,
  { taskId, taskStatus, changedPaths }: JournalRecordOf<'iteration_finished'>,
): Lesson['corrected'] {
  const isCured = taskStatus === 'done' && tasks.some((one) => one.taskId === taskId);
  return isCured ? { taskId, paths: changedPaths.slice(0, LESSON_PATHS_KEPT) } : corrected;
}

export function foldLessonDropped(draft: Draft, { key }: JournalBodyOf<'lesson_dropped'>): void {
  change(draft, { lessons: draft.policy.lessons.filter((lesson) => lesson.key !== key) });
}

export function foldCheckpointTaken(draft: Draft, { at, saved }: JournalRecordOf<'checkpoint_taken'>): void {
  active(draft, at);
  change(draft, { checkpoint: { at, done: 0, saved } });
}

export function foldPolicyStopped(draft: Draft, record: JournalRecordOf<'policy_stopped'>): void {
  const { stop, at } = record;
  active(draft, at);
  const stops = { ...draft.policy.stops, [stop.kind]: stop.times };
  change(draft, { stops, stop, armed: null });
}

/** Clears the causes of a stop. Known tasks, costs and lessons stay. */
export function foldPolicyResumed(draft: Draft): void {
  const { tasks, levels, lessons, checkpoint } = draft.policy;
  draft.policy = { ...EMPTY_POLICY, tasks, levels, lessons, checkpoint };
}
