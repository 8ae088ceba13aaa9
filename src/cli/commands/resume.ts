import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function resumeCommand(program: Command): void {
  program
    .command('resume')
    .argument('[id]', 'INC-3 or 3; the only open one by default')
    .description('resolve an emergency stop; without --option: what you can choose from')
    .option('--option <option>', 'resume_with_limits, rollback_and_retry, manual_intervention or abort')
    .option('--reason <text>', 'why, for the record')
    .action(async (id: string | undefined, { option = null, reason = null }, command: Command) => {
      const call = callOf(command);
      const { resume } = await import('../../app/commands/resume.ts');
      const { resumeText } = await import('../render/resume.ts');
      await call.print(await resume({ ...call, id: id ?? null, option, reason }), resumeText);
    });
}
