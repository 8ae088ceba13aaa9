import type { ReviewPlace } from '../domain/review.ts';
import { type Budget, spend } from './budget.ts';
import { UNKNOWN_OUTPUT } from './output.ts';
import { startState } from './shell-state.ts';
import { parseScript } from './shell-syntax.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { ScriptReading } from './walk.ts';
import { walkScript } from './walk-script.ts';

/** A longer command line is not analysed; in characters. */
export const LONGEST_COMMAND = 16_384;

export type Reading = {
  readonly commands: readonly SimpleCommand[];
  /** Whether the text was read to its end; if not, there may be commands besides those that were found. */
  readonly complete: boolean;
};

/** Every command in the text of a shell command, wherever it stands, with its words resolved. */
export function readCommand(text: string, cwd: string, place: ReviewPlace, budget: Budget): Reading {
  if (text.length > LONGEST_COMMAND || !spend(budget, text.length / 100))
    return { commands: [], complete: false };
  const reading: ScriptReading = {
    commands: [],
    broken: false,
    budget,
    depth: 0,
    substituted: UNKNOWN_OUTPUT,
  };
  const input = { fed: false, output: UNKNOWN_OUTPUT };
  const { home, root } = place;
  walkScript(parseScript(text), { reading, state: startState(cwd, home), input, root, nested: 0, calls: [] });
  return { commands: reading.commands, complete: !reading.broken };
}
