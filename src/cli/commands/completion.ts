import { Argument, type Command } from 'commander';
import { actionOf, type Call, type Examples } from '../call.ts';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';

export const examples: Examples = {
  completion: ['completion bash', 'completion zsh', 'completion fish'],
};

export function define(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'what you type in').choices([...SHELLS]))
    .description('print the script that completes commands, tasks and runs in your shell')
    .action(actionOf(run, false));
}

async function run(_call: Call, shell: Shell): Promise<void> {
  process.stdout.write(SCRIPTS[shell]);
}
