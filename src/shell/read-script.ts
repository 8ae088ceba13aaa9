import { type Budget, spend } from './budget.ts';
import type { InnerCommands } from './inner.ts';
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

/** Where a script starts: folders, absolute. */
export type ScriptStart = {
  readonly cwd: string;
  readonly home: string | null;
  readonly root: string;
  /** `$TMPDIR`. */
  readonly tmpdir: string;
};

/**
 * Every simple command in the text of a shell command, wherever it stands, with its words resolved.
 *
 * @param innerCommands the commands that a command runs in its turn: they are found as well.
 */
export function readScript(
  text: string,
  { cwd, home, root, tmpdir }: ScriptStart,
  budget: Budget,
  innerCommands: InnerCommands,
): Reading {
  if (text.length > LONGEST_COMMAND || !spend(budget, text.length / 100))
    return { commands: [], complete: false };
  const reading: ScriptReading = {
    commands: [],
    broken: false,
    budget,
    innerCommands,
    depth: 0,
    substituted: UNKNOWN_OUTPUT,
  };
  const input = { fed: false, output: UNKNOWN_OUTPUT };
  walkScript(parseScript(text), {
    reading,
    state: startState(cwd, home, tmpdir),
    input,
    root,
    nested: 0,
    calls: [],
  });
  return { commands: reading.commands, complete: !reading.broken };
}
