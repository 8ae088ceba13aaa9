import { attemptNumber } from '../../decide/index.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { type DataOf, success } from '../result.ts';
import { inTaskList, type ProjectInput } from '../setup/project.ts';
import { timeoutFields } from '../setup/timeout-of.ts';

export type TasksResult = DataOf<typeof tasks>;

/** `ralph tasks`: the list with what ralph knows of each. */
export function tasks(input: ProjectInput) {
  return inTaskList(input, ({ project, tracker, tasks: list }) =>
    success({
      tracker: tracker.name,
      tasks: list.map((task) => {
        const state = taskStateOf(project.store.state, task.id);
        const { blocked } = state;
        return {
          id: task.id,
          title: task.title,
          status: task.status,
          kind: task.kind,
          priority: task.priority,
          depends_on: task.dependsOn,
          acceptance: task.acceptance,
          ...timeoutFields(project, task),
          attempts: attemptNumber(state) - 1,
          blocked: blocked === null ? null : { reason: blocked.reason, detail: blocked.detail },
        };
      }),
    }),
  );
}
