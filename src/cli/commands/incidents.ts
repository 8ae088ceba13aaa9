import { Argument, type Command } from 'commander';
import { callOf } from '../call.ts';

export function incidentsCommand(program: Command): void {
  program
    .command('incidents')
    .addArgument(new Argument('[action]', 'list them, or show one').choices(['list', 'show']).default('list'))
    .argument('[id]', 'to show: INC-3 or 3; the open one by default')
    .description('emergency stops with their reports')
    .action(async (action: 'list' | 'show', id: string | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { incidents } = await import('../../app/commands/incidents.ts');
      const { incidentsText } = await import('../render/incidents.ts');
      await call.print(await incidents({ cwd: call.cwd, action, id: id ?? null }), incidentsText);
    });
}
