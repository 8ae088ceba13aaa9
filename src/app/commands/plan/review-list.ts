import { reviewTasks } from '../../../decide/index.ts';
import { listProblems } from '../../doctor/checks/task-list.ts';
import { type DataOf, success } from '../../result.ts';
import { inTaskList, type ProjectInput } from '../../setup/workspace.ts';
import { planWorld } from './shown-plan.ts';

export type ReviewResult = DataOf<typeof reviewList>;

/** Returns suggestions for a better list before a night. No agent is asked. */
export function reviewList(input: ProjectInput) {
  return inTaskList({ ...input, owner: 'list' }, ({ project, tracker, tasks }) =>
    success({
      tracker: tracker.name,
      reviewed: tasks.filter(({ status }) => status !== 'done').length,
      problems: listProblems(tracker, tasks),
      tasks: reviewTasks(planWorld(project, tasks, null), project.store.state),
    }),
  );
}
