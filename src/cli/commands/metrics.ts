import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function metricsCommand(program: Command): void {
  program
    .command('metrics')
    .description('iterations, tasks, and how the interventions fared; --format table, json or prometheus')
    .action(async (_options, command: Command) => {
      const call = callOf(command);
      const { metrics, prometheusMetrics } = await import('../../app/commands/metrics.ts');
      if (command.optsWithGlobals<{ format: string }>().format === 'prometheus') {
        await call.print(await prometheusMetrics(call), ({ text }) => text);
        return;
      }
      const { metricsText } = await import('../render/metrics.ts');
      await call.print(await metrics(call), metricsText);
    });
}
