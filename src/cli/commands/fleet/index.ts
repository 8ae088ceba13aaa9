import type { Command } from 'commander';
import type { Examples } from '../../call.ts';
import * as board from './board.ts';
import * as control from './control.ts';
import * as run from './run.ts';
import * as worker from './worker.ts';

export const examples: Examples = {
  ...run.examples,
  ...worker.examples,
  ...control.examples,
};

/** Commands that run attempts on other machines (docs/FLEET.md). */
export function define(program: Command): void {
  const fleet = program.command('fleet');
  for (const one of [run, worker, control, board]) one.define(fleet);
}
