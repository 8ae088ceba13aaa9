import type { JournalBodyOf, JournalRecordOf } from '../domain/records/journal.ts';
import { COMMITS_KEPT, type RunSummary, type TaskWork } from '../domain/records/state.ts';
import { addSpent, allSpend, NOTHING_SPENT, spentOf } from '../domain/spend.ts';
import { isOutsideCause } from '../domain/verdict.ts';
import { NO_SCORE } from '../domain/workflow/roles.ts';
import type { Draft } from './draft.ts';

export function workAfter(work: TaskWork[], record: JournalRecordOf<'iteration_finished'>): TaskWork[] {
  const { taskId, title, iteration, attempt, at } = record;
  const index = work.findIndex((one) => one.taskId === taskId);
  const taskWork = work[index];
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(attempt.startedAt));
  const waitedMs = Math.min(record.waitedMs, durationMs);
  const isConflict = attempt.verdict === 'conflict';
  const next: TaskWork = {
    taskId,
    title,
    iteration,
    attempts: (taskWork?.attempts ?? 0) + (isOutsideCause(attempt.verdict) ? 0 : 1),
    conflicts: (taskWork?.conflicts ?? 0) + (isConflict ? 1 : 0),
    durationMs: (taskWork?.durationMs ?? 0) + durationMs,
    agentMs: (taskWork?.agentMs ?? 0) + attempt.durationMs,
    waitedMs: (taskWork?.waitedMs ?? 0) + waitedMs,
    lostMs: (taskWork?.lostMs ?? 0) + (isConflict ? durationMs - waitedMs : 0),
    ...addSpent(taskWork ?? NOTHING_SPENT, spentOf(allSpend(record))),
    falseClaims: (taskWork?.falseClaims ?? 0) + (record.falseCompletion ? 1 : 0),
    // Commits by the agent in its copy are on no branch, because the result lands as a commit of its own.
    commits: taskWork?.commits ?? [],
    branch: taskWork?.branch ?? null,
    signs: record.signs,
    grade: record.grade,
    mutants: record.mutants,
    criteria: record.criteria,
  };
  return index === -1 ? [...work, next] : work.with(index, next);
}

/** Adds a landed commit. Its record doesn't name a run, so it belongs to the newest run that worked on the task. */
export function foldWorkLanded(draft: Draft, { taskId, commit, branch }: JournalBodyOf<'work_landed'>): void {
  if (commit === null) return;
  const worked = ({ taskId: id }: TaskWork) => id === taskId;
  const index = draft.runs.findLastIndex(({ work }) => work.some(worked));
  const run = draft.runs[index];
  if (run === undefined) return;
  const work = run.work.map((one) =>
    worked(one) ? { ...one, branch: branch ?? null, commits: newest([...one.commits, commit]) } : one,
  );
  draft.runs[index] = { ...run, work };
}

function newest(commits: string[]): string[] {
  return [...new Set(commits)].slice(-COMMITS_KEPT);
}

export function workflowAfter(
  run: RunSummary,
  { workflow }: JournalRecordOf<'iteration_finished'>,
): RunSummary['workflow'] {
  if (workflow === null) return run.workflow;
  const { score, deferred, spend } = run.workflow ?? { score: NO_SCORE, deferred: 0, spend: [] };
  const used = workflow.spend.map(({ role, agent, spend: all }) => ({ role, agent, ...spentOf(all) }));
  return {
    score: {
      roles: merged([...score.roles, ...workflow.score.roles], ({ role }) => role),
      actions: merged([...score.actions, ...workflow.score.actions], ({ issue, step }) => `${issue} ${step}`),
    },
    deferred: deferred + workflow.deferred,
    spend: merged([...spend, ...used], ({ role, agent }) => `${role} ${agent}`),
  };
}

function merged<T extends object>(entries: readonly T[], keyOf: (entry: T) => string): T[] {
  const sums = new Map<string, T>();
  for (const entry of entries) {
    const known = sums.get(keyOf(entry));
    sums.set(keyOf(entry), known === undefined ? entry : added(known, entry));
  }
  return [...sums.values()];
}

function added<T extends object>(one: T, other: T): T {
  const pairs = Object.entries(other).map(([name, value]) => {
    const before = (one as Record<string, unknown>)[name];
    return [name, typeof value === 'number' && typeof before === 'number' ? before + value : value];
  });
  return Object.fromEntries(pairs) as T;
}
