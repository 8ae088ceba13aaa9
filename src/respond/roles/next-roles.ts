import {
  type Planner,
  type Reviewer,
  type TaskWorkflow,
  WORKFLOWS,
  type WorkflowKind,
} from '../../domain/workflow/roles.ts';

/** Returns the planners to run. A task with a plan needs none, and after too much research the explorer is left out. */
export function planners(kind: WorkflowKind, task: TaskWorkflow | null): readonly Planner[] {
  if (task !== null && task.plan !== null) return [];
  const isParalysed = task?.issues.some(({ issue }) => issue === 'analysis_paralysis') ?? false;
  return WORKFLOWS[kind].plan.filter((role) => role !== 'explorer' || !isParalysed);
}

/** Returns the reviewers to run: only on work that gates and evidence accept. */
export function reviewers(kind: WorkflowKind, isComplete: boolean): readonly Reviewer[] {
  return isComplete ? WORKFLOWS[kind].check : [];
}

type Candidate = { readonly agent: string; readonly model: string | null };

/**
 * Returns the agent that replaces a role's agent. Replacements take turns; without another agent or model, the same one
 * starts a new session.
 */
export function replacementFor(
  first: Candidate,
  others: readonly Candidate[],
  times: number,
): { readonly chosen: Candidate; readonly isAnother: boolean } {
  const isFirst = (one: Candidate) => one.agent === first.agent && one.model === first.model;
  const all = [first, ...others.filter((one) => !isFirst(one))];
  const chosen = all[times % all.length] ?? first;
  return { chosen, isAnother: times > 0 && !isFirst(chosen) };
}
