import type { Command } from 'commander';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { futureTime } from './call.ts';

/** Options that several commands have, as `Command.option` takes them. */
export const TRUST = [
  '--trust',
  'accept the commands that this repository would run, and remember that',
] as const;
export const UNTIL = [
  '--until <time>',
  'start no attempt after this time: 07:00, 2h, 2030-01-31T07:00',
  futureTime,
] as const;
export const MODEL = ['--model <name>', "the model of the run's agent, for this run"] as const;
export const TIMEOUT_MULTIPLIER = [
  '--timeout-multiplier <factor>',
  'that many times the longest timeout so far, for example 3.0',
] as const;

export function loopOptions(command: Command): Command {
  return command
    .option('--agent <name>', `the agent: ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--mode <name>', 'speed (makes no mutants), quality, exploration, or one of [modes]')
    .option(...TRUST)
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
    .option(...TRUST);
}
