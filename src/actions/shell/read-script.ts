import { type Budget, spend } from './budget.ts';
import type { CommandFiles } from './command-files.ts';
import type { Programs } from './inner.ts';
import { UNKNOWN_OUTPUT } from './output.ts';
import { startState } from './shell-state.ts';
import { parseScript, parsingSteps } from './shell-syntax.ts';
import type { SimpleCommand, UnreadText } from './simple-command.ts';
import type { ScriptReading } from './walk.ts';
import { walkScript } from './walk-script.ts';

/** A longer command line is not analysed; in characters. */
export const LONGEST_COMMAND = 16_384;

export type Reading = {
  readonly commands: readonly SimpleCommand[];
  /** Whether the text was read to its end; if not, there may be commands besides those that were found. */
  readonly complete: boolean;
  /** What the script itself writes. */
  readonly files: CommandFiles;
  readonly unread: readonly UnreadText[];
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
 * @param programs what is known of programs: the commands that they run in their turn are found as well.
 */
export function readScript(
  text: string,
  { cwd, home, root, tmpdir }: ScriptStart,
  budget: Budget,
  programs: Programs,
): Reading {
  if (text.length > LONGEST_COMMAND || !spend(budget, parsingSteps(text)))
    return { commands: [], complete: false, files: new Map(), unread: [] };
  const reading: ScriptReading = {
    commands: [],
    broken: false,
    budget,
    programs,
    files: new Map(),
    unread: [],
    traps: [],
    depth: 0,
    substituted: UNKNOWN_OUTPUT,
  };
  const input = { fed: false, output: UNKNOWN_OUTPUT };
  walkScript(parseScript(text), {
    reading,
    state: startState(cwd, home, tmpdir),
    input,
    root,
    contained: null,
    nested: 0,
    calls: [],
  });
  for (const trap of reading.traps) trap();
  const { commands, broken, files, unread } = reading;
  return { commands, complete: !broken, files, unread };
}
