import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `metrics`: what was done and what came of it, in numbers. */
export function metricsCommand(program: Command): void {
  program
    .command('metrics')
    .description('iterations, tasks, and how the interventions fared; --format table, json or prometheus')
    .option('--json', 'the same as --format json')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const prometheus = (global.format as string) === 'prometheus';
      const { metrics } = await import('../../app/commands/metrics.ts');
      const { metricsText } = await import('../render/metrics.ts');
      const result = await metrics({ cwd: folderOf(global), prometheus });
      await print('metrics', global, result, prometheus ? (data) => String(data.text) : metricsText);
    });
}
