import type { Command } from 'commander';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';

export function loopOptions(command: Command): Command {
  return command
    .option('--agent <name>', `the agent: ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--mode <name>', 'speed (makes no mutants), quality, exploration, or one of [modes]')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .option('--no-commit', 'never commit in this run')
    .option('--no-wait', 'end with exit 9 instead of waiting for a usage limit or an outage to pass')
    .option('--stream', "print the agent's words as they come");
}

export type DraftOptions = {
  readonly yes?: boolean;
  readonly agent?: string;
  readonly model?: string;
  readonly trust?: boolean;
};

/** Adds the options of commands that let agents draft tasks. */
export function draftOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'take the tasks into the list without asking')
    .option('--agent <name>', 'the agent that plans, for this once')
    .option('--model <name>', 'its model')
    .option('--trust', 'accept the commands that this repository would run, and remember that');
}
