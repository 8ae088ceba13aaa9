import type { JournalRecordOf } from '../domain/records/journal.ts';
import type { RunSummary } from '../domain/records/state.ts';
import { spentOf } from '../domain/spend.ts';
import { NO_SCORE, type WorkflowScore } from '../domain/workflow/roles.ts';

/** How the roles of a run did, with one more iteration. */
export function workflowAfter(
  run: RunSummary,
  { workflow }: JournalRecordOf<'iteration_finished'>,
): RunSummary['workflow'] {
  if (workflow === null) return run.workflow;
  const { score, deferred, spend } = run.workflow ?? { score: NO_SCORE, deferred: 0, spend: [] };
  const used = workflow.spend.map(({ role, agent, spend: all }) => ({ role, agent, ...spentOf(all) }));
  return {
    score: addScores(score, workflow.score),
    deferred: deferred + workflow.deferred,
    spend: merged([...spend, ...used], ({ role, agent }) => `${role} ${agent}`),
  };
}

function addScores(one: WorkflowScore, other: WorkflowScore): WorkflowScore {
  return {
    roles: merged([...one.roles, ...other.roles], ({ role }) => role),
    actions: merged([...one.actions, ...other.actions], ({ issue, step }) => `${issue} ${step}`),
  };
}

/** Entries of one key become one, with the sums of their numbers. */
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
