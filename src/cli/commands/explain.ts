import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function explainCommand(program: Command): void {
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(async (task: string | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { explain } = await import('../../app/commands/explain.ts');
      const { explainText } = await import('../render/explain.ts');
      await call.print(await explain({ ...call, task: task ?? null }), explainText);
    });
}
