import { shellQuote } from 'ralph-kit/shell-quote';
import { taskCommand } from '../domain/work-place.ts';

/** Placeholder for your words in a command. */
export const YOUR_WORDS = '…';

export function answerCommand(taskId: string): string {
  return `${taskCommand('answer', taskId)} "${YOUR_WORDS}"`;
}

/** Returns the command that decides a request, such as `G-3`. */
export function decideCommand(request: string): string {
  return `ralph approvals decide ${request}`;
}

/** Returns the command that resolves an incident, such as `INC-1`. */
export function resumeCommand(incident: string): string {
  return `ralph resume ${incident}`;
}

/** Returns the command that shows an iteration's log, or only what made it fail. */
export function logCommand(iteration: number, hasFailing = false): string {
  return `ralph logs ${iteration}${hasFailing ? ' --failed' : ''}`;
}

export function unblockCommand(
  taskId: string,
  { timeoutSeconds, reason }: { readonly timeoutSeconds?: number; readonly reason?: string } = {},
): string {
  const options = [
    ...(timeoutSeconds === undefined ? [] : ['--timeout', String(timeoutSeconds)]),
    ...(reason === undefined ? [] : ['--reason', shellQuote(reason)]),
  ];
  return taskCommand('unblock', taskId, ...options);
}

/** Returns the `--task` option. An id that begins with a dash needs the form `--task=`. */
export function taskOption(taskId: string): string {
  return taskId.startsWith('-') ? `--task=${shellQuote(taskId)}` : `--task ${shellQuote(taskId)}`;
}

export function guideCommand(taskId: string, guidance: string): string {
  return `ralph feedback add ${taskOption(taskId)} ${shellQuote(guidance)}`;
}
