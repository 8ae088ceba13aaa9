import { Argument, type Command } from 'commander';
import type { CheckpointsInput } from '../../app/commands/checkpoints.ts';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `checkpoints`: the trees that a rollback can go back to. */
export function checkpointsCommand(program: Command): void {
  program
    .command('checkpoints')
    .addArgument(
      new Argument('[action]', 'list them, show one, compare one, or forget one')
        .choices(['list', 'show', 'diff', 'drop'])
        .default('list'),
    )
    .argument('[id]', 'to show, diff and drop: RUN/N or kept/N')
    .argument('[other]', 'to diff: another one; the work tree as it is now by default')
    .description('the work trees that ralph keeps')
    .action(
      async (
        action: CheckpointsInput['action'],
        id: string | undefined,
        other: string | undefined,
        _options,
        command: Command,
      ) => {
        const global = globals(command);
        const app = await import('../../app/commands/checkpoints.ts');
        const { checkpointsText } = await import('../render/checkpoints.ts');
        const input = { cwd: folderOf(global), action, id: id ?? null, other: other ?? null };
        await print('checkpoints', global, await app.checkpoints(input), checkpointsText);
      },
    );
}
