import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandResult } from '../app/result.ts';
import type { Terminal } from '../io/ui/index.ts';
import { wordColumnsOf } from '../lib/columns.ts';
import { stripControl } from '../lib/text.ts';
import { type CallOptions, print } from './print.ts';
import { leaveSignals } from './stopped.ts';
import { untilOf } from './until-of.ts';

/** A command as it was called. */
export type Call = CallOptions & {
  readonly name: string;
  /** The folder to work in, absolute. */
  readonly cwd: string;
  /** Says what you should know beside the result. */
  readonly onNotice: (notice: string) => void;
  /**
   * Prints the result in the chosen form and sets the exit code; `render` makes the text of it. `isContent`: it is what
   * a file or a program holds, so its lines are left as they are.
   */
  readonly print: <T extends object>(
    result: CommandResult<T>,
    render: (data: T, terminal: Terminal) => string,
    isContent?: boolean,
  ) => Promise<void>;
};

/** What a command does: its module exports `run`, which gets the arguments of the command line, then the options. */
type CommandModule<A extends unknown[]> = { readonly run: (call: Call, ...given: A) => Promise<void> };

/** Whether a call of a command decides for you: such a call is refused from inside of an agent's attempt. */
export type Decides<A extends unknown[]> = boolean | ((...given: A) => boolean);

/** The action of a command, whose code is loaded when it is called. */
export function lazily<A extends unknown[]>(load: () => Promise<CommandModule<A>>, decides: Decides<A>) {
  return async (...args: [...A, ...unknown[], Command]) => {
    const command = args.at(-1) as Command;
    const call = callOf(command);
    const given = args.slice(0, -1) as A;
    const isDeciding = typeof decides === 'boolean' ? decides : decides(...given);
    if (!isDeciding) leaveSignals();
    else {
      const { ownCopy, refuseInside } = await import('../app/setup/refuse-inside.ts');
      const refused = await refuseInside({
        cwd: call.cwd,
        name: fullName(command),
        argv: process.argv.slice(2),
      });
      if (refused !== null) return call.print(refused, () => '');
      const copy = await ownCopy(call.cwd);
      if (copy !== null) return copy.ok ? copy.run() : call.print(copy, () => '');
    }
    const { run } = await load();
    await run(call, ...given);
  };
}

export const FORMATS = ['text', 'json'];
/** Forms that one command alone has; `table` is their text. */
export const FORMATS_OF: Readonly<Record<string, readonly string[]>> = {
  metrics: ['table', 'prometheus'],
  blocked: ['table'],
  report: ['markdown'],
  eval: ['table', 'markdown'],
  verify: ['markdown', 'sarif'],
};

/** Forms of output that a command has. */
export function formatsOf(command: Command): readonly string[] {
  return [...FORMATS, ...(FORMATS_OF[command.name()] ?? [])];
}

/** As it is called: `ralph tasks add`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** Reads the options of the program and of the command together. `--json` is `--format json`. */
function callOf(command: Command): Call {
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
    name,
    cwd: resolve(given.cwd ?? '.'),
    onNotice: (notice) => {
      if (options.format !== 'json') process.stderr.write(noticeText(notice));
    },
    print: (result, render, isContent = false) => print(name, options, result, render, isContent),
  };
}

/** Behind a mark, and on a terminal broken between words. */
function noticeText(notice: string): string {
  const width = process.stderr.isTTY ? (process.stderr.columns || 80) - 2 : Number.POSITIVE_INFINITY;
  const lines = stripControl(notice).split('\n');
  return `! ${lines.flatMap((line) => wordColumnsOf(line, width)).join('\n  ')}\n`;
}

/** An option that may be given several times. */
export function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

/** Reads an option's value as a whole number; anything else is a mistake in the command line. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

/** Reads a time to come as ISO 8601 UTC; anything else, and what is past, is a mistake in the command line. */
export function timeToCome(text: string): string {
  const now = new Date();
  const at = untilOf(text, now);
  if (at === null) throw new InvalidArgumentError('Use 07:00, 90m, 2h or 2030-01-31T07:00.');
  if (at.getTime() <= now.getTime()) throw new InvalidArgumentError('That time is past.');
  return at.toISOString();
}

/** Reads names between commas. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
