import { notesRead } from 'ralph-agents';
import { endingOfPick, promptFor, selectTask } from '../../decide/index.ts';
import { givenUpText } from '../../domain/task.ts';
import { systemClock } from '../../io/clock.ts';

import { failure, success } from '../result.ts';
import { chooseAgent } from '../setup/choose-agent.ts';
import { timeoutOf } from '../setup/timeout-of.ts';
import { inTaskList, type ProjectInput } from '../setup/workspace.ts';

export function prompt(input: ProjectInput & { readonly task: string | null }) {
  return inTaskList(input, ({ project, tracker, tasks }) => {
    const { config, gates, store, readFile } = project;
    const pick = selectTask(
      tasks,
      store.state.tasks,
      input.task === null ? null : [input.task],
      new Set(),
      store.state.first,
    );
    if (pick.kind === 'unknown_task')
      return failure(givenUpText(pick.id, tracker.givenUp) ?? endingOfPick(pick).reason, 'ralph tasks');
    if (pick.kind !== 'task' && pick.kind !== 'not_selectable') {
      return failure('No task is ready, so there is no prompt to show.', 'ralph explain');
    }
    const { task } = pick.kind === 'task' ? pick : pick.tasks[0];
    const chosen = chooseAgent(project.root, config);
    const made = promptFor({
      config,
      gates,
      tasks,
      task,
      readFile,
      notesRead: chosen.ok
        ? notesRead(chosen.adapter, config.review.enabled, (path) => readFile(path) !== null)
        : [],
      agent: config.loop.agent,
      state: store.state,
      timeoutSeconds: timeoutOf(project, task).seconds,
      now: systemClock().now(),
    });
    return made.ok
      ? success({ task_id: task.id, prompt: made.prompt })
      : failure(made.message, 'ralph doctor');
  });
}
