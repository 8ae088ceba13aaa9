import type { Command } from 'commander';
import { folderOf, globals, wholeNumber } from '../globals.ts';
import { print } from '../print.ts';

/** `interventions`, `profile`, `logs`: what happened so far. */
export function historyCommands(program: Command): void {
  program
    .command('interventions')
    .description('what was detected and done about it')
    .option('--last <n>', 'only the newest n', wholeNumber)
    .option('--type <type>', 'only events of this type')
    .option('--severity <severity>', 'only info, warning or critical')
    .option('--task <id>', 'only events of this task')
    .option('--stats', 'how often each intervention was applied, and how often it helped')
    .option('--reset', 'archive the history and begin a new one')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/history.ts');
      const { interventionsText } = await import('../render/queries.ts');
      const result = await app.interventions({
        cwd: folderOf(global),
        last: options.last ?? null,
        type: options.type ?? null,
        severity: options.severity ?? null,
        task: options.task ?? null,
        reset: options.reset === true,
        stats: options.stats === true,
      });
      await print('interventions', global, result, interventionsText);
    });
  program
    .command('profile')
    .description('how the agents behaved')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/history.ts');
      const { profileText } = await import('../render/queries.ts');
      const result = await app.profile({
        cwd: folderOf(global),
        agent: options.agent ?? null,
        reinstate: options.reinstate === true,
      });
      await print('profile', global, result, profileText);
    });
  program
    .command('logs')
    .argument('[iteration]', 'number of the iteration; the newest one by default', wholeNumber)
    .description('what an iteration printed and came to')
    .action(async (iteration: number | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../../app/commands/history.ts');
      const { logsText } = await import('../render/queries.ts');
      await print(
        'logs',
        global,
        await app.logs({ cwd: folderOf(global), iteration: iteration ?? null }),
        logsText,
      );
    });
}
