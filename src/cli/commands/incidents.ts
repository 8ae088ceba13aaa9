import { Argument, type Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `incidents`, `resume`: emergency stops, and what is done about them. */
export function incidentCommands(program: Command): void {
  program
    .command('incidents')
    .addArgument(new Argument('[action]', 'list them, or show one').choices(['list', 'show']).default('list'))
    .argument('[id]', 'to show: INC-3 or 3; the open one by default')
    .description('emergency stops with their reports')
    .option('--json', 'the same as --format json')
    .action(async (action: 'list' | 'show', id: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const { incidents } = await import('../../app/commands/incidents.ts');
      const { incidentsText } = await import('../render/incidents.ts');
      const result = await incidents({ cwd: folderOf(global), action, id: id ?? null });
      await print('incidents', global, result, incidentsText);
    });
  program
    .command('resume')
    .argument('[id]', 'INC-3 or 3; the only open one by default')
    .description('go on after an emergency stop; without --option: what there is to choose from')
    .option('--option <option>', 'resume_with_limits, rollback_and_retry, manual_intervention or abort')
    .option('--reason <text>', 'what the record says of it')
    .option('--json', 'the same as --format json')
    .action(async (id: string | undefined, options, command: Command) => {
      const global = globals(command);
      const { resume } = await import('../../app/commands/resume.ts');
      const { resumeText } = await import('../render/incidents.ts');
      const result = await resume({
        cwd: folderOf(global),
        id: id ?? null,
        option: options.option ?? null,
        reason: options.reason ?? null,
      });
      await print('resume', global, result, resumeText);
    });
}
