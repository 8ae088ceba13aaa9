import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `rollback`: the work tree as it was. */
export function rollbackCommand(program: Command): void {
  program
    .command('rollback')
    .argument('[id]', 'checkpoint to go back to; by default the tree before the newest iteration')
    .description('put the work tree back to a checkpoint, and keep what it held')
    .action(async (id: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const { rollback } = await import('../../app/commands/rollback.ts');
      const { rollbackText } = await import('../render/rollback.ts');
      const result = await rollback({ cwd: folderOf(global), id: id ?? null });
      await print('rollback', global, result, rollbackText);
    });
}
