import { Argument, type Command } from 'commander';
import type { CheckpointsInput } from '../../app/commands/checkpoints.ts';
import { callOf } from '../call.ts';

type Action = CheckpointsInput['action'];

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
    .action(async (action: Action, id = null, other = null, _options: object, command: Command) => {
      const call = callOf(command);
      const { checkpoints } = await import('../../app/commands/checkpoints.ts');
      const { checkpointsText } = await import('../render/checkpoints.ts');
      await call.print(await checkpoints({ cwd: call.cwd, action, id, other }), checkpointsText);
    });
}
