import type { Command } from 'commander';

import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  prompt: ['prompt', 'prompt T-3'],
};

export function define(program: Command): void {
  program.command('prompt').argument('[task]').action(actionOf(run, false));
}

/** Prints the prompt for the agent, byte for byte. */
export async function run(call: Call, task: string | null = null) {
  const { prompt } = await import('../../app/commands/prompt.ts');
  const result = await prompt({ ...call, task });
  await call.print(result, () => (result.ok ? result.data.prompt : ''), true);
}
