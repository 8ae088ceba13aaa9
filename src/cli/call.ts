import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandResult } from '../app/result.ts';
import type { Terminal } from '../io/ui/index.ts';
import { type CallOptions, print } from './print.ts';

/** A command as it was called. */
export type Call = CallOptions & {
  /** The folder to work in, absolute. */
  readonly cwd: string;
  /** Prints the result in the chosen form and sets the exit code; `render` makes the text of it. */
  readonly print: <T extends object>(
    result: CommandResult<T>,
    render: (data: T, terminal: Terminal) => string,
  ) => Promise<void>;
};

/** Reads the options of the program and of the command together. `--json` is `--format json`. */
export function callOf(command: Command): Call {
  const given = command.optsWithGlobals<Partial<CallOptions> & { cwd?: string; json?: boolean }>();
  const options: CallOptions = {
    format: given.json === true ? 'json' : (given.format ?? 'text'),
    quiet: given.quiet === true,
    verbose: given.verbose === true,
    color: given.color !== false,
  };
  // `ralph feedback add` is called `feedback` in its document.
  const name = command.parent?.parent ? command.parent.name() : command.name();
  return {
    ...options,
    cwd: resolve(given.cwd ?? '.'),
    print: (result, render) => print(name, options, result, render),
  };
}

/** Reads an option's value as a whole number; anything else is a mistake in the command line. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is expected');
  return Number(text);
}
