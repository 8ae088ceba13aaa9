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
