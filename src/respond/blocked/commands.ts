import { shellQuote } from '../../lib/shell-quote.ts';

type UnblockOptions = { readonly timeoutSeconds?: number; readonly reason?: string };

/** `ralph unblock` for a shell, whatever the id looks like. */
export function unblockCommand(taskId: string, { timeoutSeconds, reason }: UnblockOptions = {}): string {
  const options = [
    ...(timeoutSeconds === undefined ? [] : ['--timeout', String(timeoutSeconds)]),
    ...(reason === undefined ? [] : ['--reason', shellQuote(reason)]),
  ];
  // What begins with a dash would be read as an option.
  const words = taskId.startsWith('-')
    ? [...options, '--', shellQuote(taskId)]
    : [shellQuote(taskId), ...options];
  return ['ralph', 'unblock', ...words].join(' ');
}

/** `--task ID`, also for an id that begins with a dash. */
export function taskOption(taskId: string): string {
  return taskId.startsWith('-') ? `--task=${shellQuote(taskId)}` : `--task ${shellQuote(taskId)}`;
}

export function guideCommand(taskId: string, guidance: string): string {
  return `ralph feedback add ${taskOption(taskId)} ${shellQuote(guidance)}`;
}
