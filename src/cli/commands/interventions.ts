import type { Command } from 'commander';
import { callOf, wholeNumber } from '../call.ts';

export function interventionsCommand(program: Command): void {
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
      const call = callOf(command);
      const { interventions } = await import('../../app/commands/interventions.ts');
      const { interventionsText } = await import('../render/interventions.ts');
      const { last = null, type = null, severity = null, task = null } = options;
      const { reset = false, stats = false } = options;
      const input = { ...call, last, type, severity, task, reset, stats };
      await call.print(await interventions(input), interventionsText);
    });
}
