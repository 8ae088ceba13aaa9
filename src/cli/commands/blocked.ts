import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function blockedCommand(program: Command): void {
  program
    .command('blocked')
    .description('blocked tasks with their reasons')
    .option('--suggest', 'what to do about each, with the command for it')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const { blocked } = await import('../../app/commands/blocked.ts');
      const { blockedText } = await import('../render/blocked.ts');
      await call.print(await blocked({ ...call, suggest: options.suggest === true }), blockedText);
    });
}
