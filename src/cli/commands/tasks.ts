import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function tasksCommand(program: Command): void {
  program
    .command('tasks')
    .description('the list of tasks')
    .action(async (_options, command: Command) => {
      const call = callOf(command);
      const { tasks } = await import('../../app/commands/tasks.ts');
      const { tasksText } = await import('../render/tasks.ts');
      await call.print(await tasks(call), tasksText);
    });
}
