import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function trustCommand(program: Command): void {
  program
    .command('trust')
    .description('accept the commands and prompt templates of this repository')
    .option('--list', 'only show them, and what was accepted')
    .option('--revoke', 'take back everything that was accepted here')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const { trust } = await import('../../app/commands/trust.ts');
      const { trustText } = await import('../render/trust.ts');
      const action = options.revoke === true ? 'revoke' : options.list === true ? 'list' : 'accept';
      await call.print(await trust({ cwd: call.cwd, action }), trustText);
    });
}
