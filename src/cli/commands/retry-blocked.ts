import { type RetryResult, retryBlocked } from '../../app/commands/retry-blocked.ts';
import { strategyWord } from '../../domain/records/blocked.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { limitText } from '../render/words.ts';

type RetryOptions = LoopOptions & {
  readonly filter?: string;
  readonly maxAttempts: number;
  readonly fresh?: boolean;
  readonly timeoutMultiplier?: string;
  readonly dryRun?: boolean;
};

export async function run(call: Call, options: RetryOptions) {
  const { input, dispose } = openLoop(call, options);
  const { filter = null, maxAttempts, fresh = false, timeoutMultiplier = null, dryRun = false } = options;
  const result = await retryBlocked({ ...input, filter, maxAttempts, fresh, timeoutMultiplier, dryRun });
  dispose();
  await call.print(result, retryText);
}

/** `ralph retry-blocked`, below the summary of the run: what was not retried, and why; of a dry run both lists. */
export function retryText(data: RetryResult, { style, para }: Terminal): string {
  const { retried, not_retried: left, warnings, dry_run } = data;
  if (retried.length === 0 && left.length === 0) return 'No task is blocked.';
  const would = dry_run ? retried : [];
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    ...(would.length === 0 ? [] : ['Would be retried:']),
    ...would.map(({ id, strategy, timeout_seconds: limit }) => {
      const how = strategy === null ? '' : `: ${strategyWord(strategy)}`;
      return para(`${style.bold(id)}${how}${limit === null ? '' : ` (${limitText(limit)})`}`, '  ', '    ');
    }),
    ...(left.length === 0
      ? []
      : [
          ...(dry_run ? [] : ['']),
          `Not retried, as ${left.length === 1 ? 'it needs' : 'they need'} you first:`,
        ]),
    ...left.flatMap(({ id, strategy, why, command }) => [
      para(`${style.bold(id)}, ${strategyWord(strategy)}: ${why}`, '  ', '    '),
      `    ${style.cyan(command)}`,
    ]),
  ].join('\n');
}
