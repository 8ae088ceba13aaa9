import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what a run needs, what is wrong, and how to fix it; changes nothing')
    .option('--config', 'every value of the configuration with where it came from')
    .option('--agents', 'what ralph can do with each agent')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const app = await import('../../app/commands/doctor.ts');
      const render = await import('../render/doctor.ts');
      if (options.config === true) await call.print(await app.doctorConfig(call), render.configText);
      else if (options.agents === true) await call.print(await app.doctorAgents(call), render.agentsText);
      else await call.print(await app.doctor(call), render.doctorText);
    });
}
