import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `status`, `tasks`, `explain`, `prompt`: where things stand. */
export function queryCommands(program: Command): void {
  program
    .command('status')
    .description('the run, the counts, what is next, the last events')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/queries.ts');
      const { statusText } = await import('../render/queries.ts');
      await print('status', global, await app.status({ cwd: folderOf(global) }), statusText);
    });
  program
    .command('tasks')
    .description('the list of tasks')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/queries.ts');
      const { tasksText } = await import('../render/queries.ts');
      await print('tasks', global, await app.tasks({ cwd: folderOf(global) }), tasksText);
    });
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(async (task: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/queries.ts');
      const { explainText } = await import('../render/queries.ts');
      await print(
        'explain',
        global,
        await app.explain({ cwd: folderOf(global), task: task ?? null }),
        explainText,
      );
    });
  program
    .command('prompt')
    .argument('[task]')
    .description('the prompt that would be sent')
    .action(async (task: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/queries.ts');
      const result = await app.prompt({ cwd: folderOf(global), task: task ?? null });
      await print('prompt', global, result, (data) => data.prompt);
    });
}
