import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function unblockCommand(program: Command): void {
  program
    .command('unblock')
    .argument('[tasks...]', 'ids of blocked tasks')
    .description('give blocked tasks a fresh series of attempts')
    .option('--timeout <duration>', 'time limit until the task is done: 600, 0.5, 90s, 30m, 2h')
    .option('--timeout-multiplier <factor>', 'that many times the longest timeout so far, for example 3.0')
    .option('--filter <what>', 'all blocked tasks of this level or reason, or whose id fits this glob')
    .option('--reason <text>', 'why, for the history of the task')
    .action(async (tasks: string[], options, command: Command) => {
      const call = callOf(command);
      const { unblock } = await import('../../app/commands/unblock.ts');
      const { unblockText } = await import('../render/unblock.ts');
      const { filter = null, timeout = null, timeoutMultiplier = null, reason = null } = options;
      await call.print(
        await unblock({ ...call, tasks, filter, timeout, timeoutMultiplier, reason }),
        unblockText,
      );
    });
}
