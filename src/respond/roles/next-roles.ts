import {
  type Planner,
  type Reviewer,
  type TaskWorkflow,
  WORKFLOWS,
  type WorkflowKind,
} from '../../domain/workflow/roles.ts';

/** Who plans before the maker begins: none where there is a plan, and no explorer once there was too much research. */
export function planners(kind: WorkflowKind, task: TaskWorkflow | null): readonly Planner[] {
  if (task !== null && task.plan !== null) return [];
  const isParalysed = task?.issues.some(({ issue }) => issue === 'analysis_paralysis') ?? false;
  return WORKFLOWS[kind].plan.filter((role) => role !== 'explorer' || !isParalysed);
}

/** Who reviews: work that gates and evidence accept, all of them at the same time; nothing else. */
export function reviewers(kind: WorkflowKind, isComplete: boolean): readonly Reviewer[] {
  return isComplete ? WORKFLOWS[kind].check : [];
}

type Candidate = { readonly agent: string; readonly model: string | null };

/**
 * Who takes a role after its agent was replaced so many times: another agent or model where there is one, in turn; else the
 * same one, in a fresh session.
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
