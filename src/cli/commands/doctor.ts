import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `doctor`: looks at everything that a run needs, and says how to mend it. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what a run needs, what is wrong, and how to mend it; changes nothing')
    .option('--json', 'the same as --format json')
    .option('--config', 'every value of the configuration with where it came from')
    .option('--agents', 'what ralph can do with each agent')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { doctor } = await import('../../app/commands/doctor.ts');
      const render = await import('../render/doctor.ts');
      const show = options.config === true ? 'config' : options.agents === true ? 'agents' : 'findings';
      const text = { config: render.configText, agents: render.agentsText, findings: render.doctorText }[
        show
      ];
      await print('doctor', global, await doctor({ cwd: folderOf(global), show }), text);
    });
}
