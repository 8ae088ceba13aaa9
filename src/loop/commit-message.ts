import { onOneLine, stripControl } from 'ralph-kit/text';
import type { Config } from '../domain/config.ts';
import type { HooksRan } from '../domain/ports.ts';
import type { Task } from '../domain/task.ts';

export function commitMessage(
  { git }: Pick<Config, 'git'>,
  { id, title }: Pick<Task, 'id' | 'title'>,
  commits: readonly { readonly subject: string }[],
): string {
  const subject = git.message
    .replaceAll('{task_id}', () => onOneLine(id))
    .replaceAll('{title}', () => onOneLine(title));
  const subjects = commits.map((one) => `- ${onOneLine(one.subject)}`).join('\n');
  return subjects === '' ? subject : `${subject}\n\n${subjects}`;
}

/**
 * Returns the message of a task's commit, which your commit hooks may still change. `commits`: those that the agent
 * made in its copy, newest first.
 */
export function workMessage(
  config: Pick<Config, 'git'>,
  task: Pick<Task, 'id' | 'title'>,
  { hooks, commits }: { readonly hooks: HooksRan; readonly commits: Parameters<typeof commitMessage>[2] },
): string {
  return hooks.kind === 'ran'
    ? stripControl(hooks.message)
    : commitMessage(config, task, commits.toReversed());
}
