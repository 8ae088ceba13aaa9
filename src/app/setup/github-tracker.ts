import { createHash } from 'node:crypto';
import type { Config } from '../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../domain/ports.ts';
import type { Task } from '../../domain/task.ts';
import { closeIssue, commentOnIssue, type GhOutcome, listIssues } from '../../io/gh.ts';
import { GITHUB_FIELDS, issueNumber, tasksFromGithub } from '../../tasks/index.ts';

/**
 * GitHub issues as the tracker. They hold no status but open and closed, so the others live in ralph's state. A task
 * that ralph has verified (`doneBy`) is done although its issue stays open, unless `close_on_done` makes the issue
 * itself say so: then opening the issue again brings the task back.
 */
export function openGithubTracker(root: string, store: Store, config: Config['tracker']): Tracker {
  const { label } = config;
  return {
    load: async () => {
      const listed = await listIssues(root, label, GITHUB_FIELDS);
      if (listed.kind !== 'ok') return { ok: false, message: listed.message };
      const read = tasksFromGithub(listed.value);
      if (!read.ok) return read;
      const { tasks: doneTasks } = store.state;
      const isVerified = (task: Task): boolean =>
        !config.close_on_done && Object.hasOwn(doneTasks, task.id) && doneTasks[task.id]?.doneBy != null;
      return {
        ok: true,
        format: 'github',
        name: label === '' ? 'GitHub issues' : `GitHub issues (${label})`,
        paths: [],
        holdsBlocked: false,
        sha256: createHash('sha256').update(JSON.stringify(read.tasks)).digest('hex'),
        tasks: read.tasks.map((task): Task => (isVerified(task) ? { ...task, status: 'done' } : task)),
        problems: [],
      };
    },
    setStatus: async (taskId, status) => {
      if (status !== 'done') return;
      const number = issueNumber(taskId);
      if (number === null) throw new StoreError(`${taskId} is no GitHub issue: expected an id such as #12`);
      if (config.comment_on_done) expectDone(await commentOnIssue(root, number, comment(store, taskId)));
      if (config.close_on_done) expectDone(await closeIssue(root, number));
    },
  };
}

function comment(store: Store, taskId: string): string {
  const doneBy = Object.hasOwn(store.state.tasks, taskId) ? store.state.tasks[taskId]?.doneBy : null;
  const where = doneBy ? ` in iteration ${doneBy.iteration} of run ${doneBy.run}` : '';
  return `Done and verified by ralph${where}.\n`;
}

function expectDone(outcome: GhOutcome<null>): void {
  if (outcome.kind !== 'ok') throw new StoreError(outcome.message);
}
