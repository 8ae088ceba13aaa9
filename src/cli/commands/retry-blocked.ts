import { type RetryResult, retryBlocked } from '../../app/commands/retry-blocked.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { words } from '../render/words.ts';

type RetryOptions = LoopOptions & {
  readonly filter?: string;
  readonly maxAttempts: number;
  readonly fresh?: boolean;
};

export async function run(call: Call, options: RetryOptions) {
  const { input, dispose } = openLoop(call, options);
  const { filter = null, maxAttempts, fresh = false } = options;
  const result = await retryBlocked({ ...input, filter, maxAttempts, fresh });
  dispose();
  await call.print(result, retryText);
}

/** `ralph retry-blocked`, below the summary of the run: what was not retried, and why. */
export function retryText(data: RetryResult, { style, para }: Terminal): string {
  const { retried, not_retried: left } = data;
  if (left.length === 0) return retried.length === 0 ? 'No task is blocked.' : '';
  return [
    '',
    'Not retried, as they need you first:',
    ...left.flatMap(({ id, strategy, why, command }) => [
      para(`${style.bold(id)} ${words(strategy)}: ${why}`, '  ', '    '),
      `    ${style.cyan(command)}`,
    ]),
  ].join('\n');
}
