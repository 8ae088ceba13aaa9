import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from './print.ts';

/** The options of the program and of the command together; `--json` of a command is `--format json`. */
export function globals(command: Command): GlobalOptions {
  const given = command.optsWithGlobals<GlobalOptions & { readonly json?: boolean }>();
  return given.json === true ? { ...given, format: 'json' } : given;
}

/** The folder to work in, absolute. */
export function folderOf(options: GlobalOptions): string {
  return resolve(options.cwd ?? '.');
}

/** Reads an option's value as a whole number; anything else is a mistake in the command line. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is expected');
  return Number(text);
}
