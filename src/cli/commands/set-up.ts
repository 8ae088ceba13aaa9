import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `init`, `feedback`: what a person tells ralph. */
export function setUpCommands(program: Command): void {
  program
    .command('init')
    .description('set up .ralph/ in this repository')
    .option('--force', 'replace files that are there; the old ones are archived')
    .option('--agent <name>', 'the agent to configure')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { init } = await import('../../app/commands/init.ts');
      const { initText } = await import('../render/queries.ts');
      const result = await init({
        cwd: folderOf(global),
        force: options.force === true,
        agent: options.agent ?? null,
      });
      await print('init', global, result, initText);
    });
  const feedback = program.command('feedback').description('guidance for the agent');
  const give = async (
    action: 'add' | 'list' | 'clear',
    text: string,
    task: string | null,
    command: Command,
  ) => {
    const global = globals(command);
    const app = await import('../../app/commands/history.ts');
    const { feedbackText } = await import('../render/queries.ts');
    await print(
      'feedback',
      global,
      await app.feedback({ cwd: folderOf(global), action, text, task }),
      feedbackText,
    );
  };
  feedback
    .command('add')
    .argument('<text...>')
    .option('--task <id>', 'only for this task')
    .description('add guidance to the coming prompts')
    .action((words: string[], options, command: Command) =>
      give('add', words.join(' '), options.task ?? null, command),
    );
  feedback
    .command('list', { isDefault: true })
    .description('what the coming prompts will carry')
    .action((_options, command: Command) => give('list', '', null, command));
  feedback
    .command('clear')
    .description('take back the guidance that people added')
    .action((_options, command: Command) => give('clear', '', null, command));
}
