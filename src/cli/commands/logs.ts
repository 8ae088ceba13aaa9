import type { Command } from 'commander';
import { callOf, wholeNumber } from '../call.ts';

export function logsCommand(program: Command): void {
  program
    .command('logs')
    .argument('[iteration]', 'number of the iteration; the newest one by default', wholeNumber)
    .description('what an iteration printed, and its result')
    .action(async (iteration: number | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { logs } = await import('../../app/commands/logs.ts');
      const { logsText } = await import('../render/logs.ts');
      await call.print(await logs({ ...call, iteration: iteration ?? null }), logsText);
    });
}
