import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function statusCommand(program: Command): void {
  program
    .command('status')
    .description('the run, the counts, what is next, the last events')
    .action(async (_options, command: Command) => {
      const call = callOf(command);
      const { status } = await import('../../app/commands/status.ts');
      const { statusText } = await import('../render/status.ts');
      await call.print(await status(call), statusText);
    });
}
