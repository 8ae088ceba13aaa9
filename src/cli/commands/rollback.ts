import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function rollbackCommand(program: Command): void {
  program
    .command('rollback')
    .argument('[id]', 'checkpoint to go back to; by default the tree before the newest iteration')
    .description('put the work tree back to a checkpoint, and keep what it held')
    .action(async (id: string | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { rollback } = await import('../../app/commands/rollback.ts');
      const { rollbackText } = await import('../render/rollback.ts');
      await call.print(await rollback({ ...call, id: id ?? null }), rollbackText);
    });
}
