import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function initCommand(program: Command): void {
  program
    .command('init')
    .description('set up .ralph/ in this repository')
    .option('--force', 'replace existing files; the old ones are archived')
    .option('--agent <name>', 'the agent to configure')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const { init } = await import('../../app/commands/init.ts');
      const { initText } = await import('../render/init.ts');
      const input = { ...call, force: options.force === true, agent: options.agent ?? null };
      await call.print(await init(input), initText);
    });
}
