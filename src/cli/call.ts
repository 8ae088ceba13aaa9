import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { wordColumnsOf } from 'ralph-kit/columns';
import { shellQuote } from 'ralph-kit/shell-quote';
import { stripControl } from 'ralph-kit/text';
import type { CommandResult } from '../app/result.ts';
import type { Terminal } from '../io/ui/index.ts';
import { type CallOptions, print } from './print.ts';
import { leaveSignals } from './stopped.ts';
import { untilOf } from './until-of.ts';

export type Call = CallOptions & {
  readonly name: string;
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Prints a notice on standard error, except with JSON output. */
  readonly onNotice: (notice: string) => void;
  /** Prints a result and sets the exit code. With `isContent`, lines of the output are printed unchanged. */
  readonly print: <T extends object>(
    result: CommandResult<T>,
    render: (data: T, terminal: Terminal) => string,
    isContent?: boolean,
  ) => Promise<void>;
};

/** Examples by command, for `--help` and docs/CLI.md. `ralph` is added in front of each. */
export type Examples = Readonly<Record<string, readonly string[]>>;

/** The function of a command. It gets the arguments of the command line, then the options. */
type Run<A extends unknown[]> = (call: Call, ...given: A) => Promise<void>;

/** Whether a call decides for you. If so, it is refused within an agent's attempt. */
export type Decides<A extends unknown[]> = boolean | ((...given: A) => boolean);

/** Returns the action of a command. */
export function actionOf<A extends unknown[]>(run: Run<A>, decides: Decides<A>) {
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
    await run(call, ...given);
  };
}

export const FORMATS = ['text', 'json'];
/** Output formats other than text and JSON, by command. `table` is another name for text. */
export const FORMATS_OF: Readonly<Record<string, readonly string[]>> = {
  metrics: ['table', 'prometheus'],
  blocked: ['table'],
  report: ['markdown'],
  eval: ['table', 'markdown'],
  verify: ['markdown', 'sarif'],
};

export function formatsOf(command: Command): readonly string[] {
  return [...FORMATS, ...(FORMATS_OF[command.name()] ?? [])];
}

/** Returns the name as typed, such as `ralph tasks add`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/**
 * Returns this command line with an option that it may have already, for a shell.
 * @param command The command's name, which the option follows.
 */
export function calledWith(command: string, option: string): string {
  const words = process.argv.slice(2).map((word) => {
    const [dashes = ''] = /^-*/.exec(word) ?? [];
    const quoted = dashes + shellQuote(word.slice(dashes.length));
    return quoted === word ? word : shellQuote(word);
  });
  const at = words.indexOf(command) + 1;
  const rest = words.slice(at).filter((word) => word !== option);
  return ['ralph', ...words.slice(0, at), option, ...rest].join(' ');
}

/** Returns the options of the program and of the command together. `--json` means `--format json`. */
function callOf(command: Command): Call {
  const cliOptions = command.optsWithGlobals<Partial<CallOptions> & { cwd?: string; json?: boolean }>();
  const options: CallOptions = {
    format: cliOptions.json === true ? 'json' : (cliOptions.format ?? 'text'),
    quiet: cliOptions.quiet === true,
    verbose: cliOptions.verbose === true,
    color: cliOptions.color !== false,
  };
  // The document of `ralph feedback add` has the name `feedback`.
  const name = command.parent?.parent ? command.parent.name() : command.name();
  return {
    ...options,
    name,
    cwd: resolve(cliOptions.cwd ?? '.'),
    onNotice: (notice) => {
      if (options.format !== 'json') process.stderr.write(noticeText(notice));
    },
    print: (result, render, isContent = false) => print(name, options, result, render, isContent),
  };
}

function noticeText(notice: string): string {
  const width = process.stderr.isTTY ? (process.stderr.columns || 80) - 2 : Number.POSITIVE_INFINITY;
  const lines = stripControl(notice).split('\n');
  return `! ${lines.flatMap((line) => wordColumnsOf(line, width)).join('\n  ')}\n`;
}

export function collect(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

/** Returns a whole number. @throws InvalidArgumentError for any other text. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('Use a number up to 65535.');
  return port;
}

/** Returns a future time as ISO 8601 UTC. @throws InvalidArgumentError for a past time or other text. */
export function futureTime(text: string): string {
  const now = new Date();
  const at = untilOf(text, now);
  if (at === null) throw new InvalidArgumentError('Use 07:00, 90m, 2h or 2030-01-31T07:00.');
  if (at.getTime() <= now.getTime()) throw new InvalidArgumentError('That time is past.');
  return at.toISOString();
}

/** Returns the names in a list that is separated by commas, without empty ones. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
