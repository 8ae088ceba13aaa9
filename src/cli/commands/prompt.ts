import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function promptCommand(program: Command): void {
  program
    .command('prompt')
    .argument('[task]')
    .description('the prompt that would be sent')
    .action(async (task: string | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { prompt } = await import('../../app/commands/prompt.ts');
      const result = await prompt({ ...call, task: task ?? null });
      // Byte for byte, as the agent would get it.
      await call.print(result, () => (result.ok ? result.data.prompt : ''));
    });
}
