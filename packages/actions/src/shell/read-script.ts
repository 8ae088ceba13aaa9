import { type Budget, spend } from './budget.ts';
import type { CommandFiles } from './command-files.ts';
import type { Programs } from './inner.ts';
import { UNKNOWN_OUTPUT } from './output.ts';
import { startState } from './shell-state.ts';
import { parseScript, parsingSteps } from './shell-syntax.ts';
import type { SimpleCommand, UnreadText } from './simple-command.ts';
import type { ScriptReading } from './walk.ts';
import { walkScript } from './walk-script.ts';

/** Characters of a command line that is analysed; longer ones aren't. */
export const LONGEST_COMMAND = 16_384;

export type Reading = {
  readonly commands: readonly SimpleCommand[];
  /** Whether the text was read to its end; otherwise it may contain more commands. */
  readonly complete: boolean;
  readonly files: CommandFiles;
  readonly unread: readonly UnreadText[];
};

/** The place where a script starts. Folders are absolute. */
export type ScriptStart = {
  readonly cwd: string;
  readonly home: string | null;
  readonly root: string;
  readonly tmpdir: string;
};

/**
 * Returns every simple command in a shell text, with its words resolved.
 * @param programs Knowledge about programs, by which the commands they run are found as well.
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
