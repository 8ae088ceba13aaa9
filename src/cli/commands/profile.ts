import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function profileCommand(program: Command): void {
  program
    .command('profile')
    .description('how the agents behaved')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const { profile } = await import('../../app/commands/profile.ts');
      const { profileText } = await import('../render/profile.ts');
      const { agent = null, reinstate = false } = options;
      await call.print(await profile({ ...call, agent, reinstate }), profileText);
    });
}
