import type { Config } from '../domain/config.ts';
import type { HooksRan } from '../domain/ports.ts';
import type { Task } from '../domain/task.ts';
import { onOneLine, stripControl } from '../lib/text.ts';

/** The message of a task's commit: its subject as configured, and what the agent said of its own commits. */
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

/** The same for work that your commit hooks have seen: the message as they left it. `commits`: newest first. */
export function workMessage(
  config: Pick<Config, 'git'>,
  task: Pick<Task, 'id' | 'title'>,
  { hooks, commits }: { readonly hooks: HooksRan; readonly commits: Parameters<typeof commitMessage>[2] },
): string {
  return hooks.kind === 'ran'
    ? stripControl(hooks.message)
    : commitMessage(config, task, commits.toReversed());
}
