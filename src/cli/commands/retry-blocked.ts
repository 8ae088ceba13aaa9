import type { Command } from 'commander';
import { callOf, wholeNumber } from '../call.ts';
import { loopOptions, openLoop } from '../loop-input.ts';

export function retryBlockedCommand(program: Command): void {
  loopOptions(program.command('retry-blocked'))
    .description('unblock by the suggested strategy, and run just those tasks')
    .option('--max-attempts <n>', 'attempts of each task (1)', wholeNumber, 1)
    .option('--filter <what>', 'only those of this level or reason, or whose id fits this glob')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const { retryBlocked } = await import('../../app/commands/retry-blocked.ts');
      const { retryText } = await import('../render/retry-blocked.ts');
      const { input, dispose } = await openLoop(call, options);
      const { filter = null, maxAttempts } = options;
      const result = await retryBlocked({ ...input, filter, maxAttempts });
      dispose();
      await call.print(result, retryText);
    });
}
