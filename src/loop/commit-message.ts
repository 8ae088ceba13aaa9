import type { Config } from '../domain/config.ts';
import type { Task } from '../domain/task.ts';
import { onOneLine } from '../lib/text.ts';

/** The message of a task's commit: its subject as configured, and what the agent said of its own commits. */
export function commitMessage(
  { git }: Pick<Config, 'git'>,
  { id, title }: Pick<Task, 'id' | 'title'>,
  commits: readonly { readonly subject: string }[],
): string {
  const subject = git.message
    .replaceAll('{task_id}', () => onOneLine(id))
    .replaceAll('{title}', () => onOneLine(title));
  const said = commits.map((one) => `- ${onOneLine(one.subject)}`).join('\n');
  return said === '' ? subject : `${subject}\n\n${said}`;
}

/** A line such as `Signed-off-by: …`. */
const TRAILER = /^[A-Za-z][\w-]*: \S/;

/** A message with one more trailer: in the block of those that it has, or as a block of its own. */
export function withTrailer(message: string, trailer: string): string {
  const text = message.trimEnd();
  const block =
    text
      .split(/\n[ \t]*\n/)
      .slice(1)
      .at(-1)
      ?.split('\n') ?? [];
  const isBlock = block.length > 0 && block.every((line) => TRAILER.test(line));
  return `${text}\n${isBlock ? '' : '\n'}${trailer}`;
}
