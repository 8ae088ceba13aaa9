import type { Command } from 'commander';
import type { RetryResult } from '../../app/commands/retry-blocked.ts';
import { strategyWord } from '../../domain/records/blocked.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { limitText } from '../../tell/index.ts';
import { actionOf, type Call, type Examples, wholeNumber } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { loopOptions, TIMEOUT_MULTIPLIER } from '../loop-options.ts';

export const examples: Examples = {
  'retry-blocked': ['retry-blocked', 'retry-blocked --filter complex'],
};

export function define(program: Command): void {
  loopOptions(program.command('retry-blocked'))
    .option('--max-attempts <n>', 'attempts of each task (1)', wholeNumber, 1)
    .option('--filter <what>', 'only those of this level or reason, or whose id fits this glob')
    .option(...TIMEOUT_MULTIPLIER)
    .option('--fresh', 'begin without the work that is kept')
    .option('--dry-run', 'only show what would be retried, and with which limit')
    .action(actionOf(run, ({ dryRun }) => dryRun !== true));
}

type RetryOptions = LoopOptions & {
  readonly filter?: string;
  readonly maxAttempts: number;
  readonly fresh?: boolean;
  readonly timeoutMultiplier?: string;
  readonly dryRun?: boolean;
};

export async function run(call: Call, options: RetryOptions) {
  const { retryBlocked } = await import('../../app/commands/retry-blocked.ts');
  const { input, dispose } = openLoop(call, options);
  const { filter = null, maxAttempts, fresh = false, timeoutMultiplier = null, dryRun = false } = options;
  const result = await retryBlocked({ ...input, filter, maxAttempts, fresh, timeoutMultiplier, dryRun });
  dispose();
  await call.print(result, retryText);
}

/** Returns the blocked tasks that weren't retried, with reasons. A dry run also lists those that would be retried. */
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
