import type { Command, CommanderError } from 'commander';
import { didYouMean, nearest } from 'ralph-kit/nearest';
import { shellQuote } from 'ralph-kit/shell-quote';
import { capitalized, stripControl } from 'ralph-kit/text';
import { VERIFY_EXIT } from '../domain/verification.ts';
import { fullName } from './call.ts';

/** A usage error in ralph's words, and the command line that was probably meant; `null`: the command's help. */
type UsageError = { readonly message: string; readonly meant: string | null };

/** Thrown for a command line that wasn't understood, or that asked for help or the version (exit code 0). */
export class CommandLineEnd extends Error {
  readonly exitCode: number;
  /** Whether help was printed, because you asked for it or named no command. */
  readonly isHelp: boolean;
  /** The command as far as it was understood: `ralph tasks add`. */
  readonly command: string;
  /** The command line to type instead. */
  readonly next: string;

  constructor({ message, meant }: UsageError, command: Command, { exitCode = 1, isHelp = false } = {}) {
    super(message);
    // Exit code 2 of `ralph verify` means a verdict, so usage errors have another code.
    const wrong = command.name() === 'verify' ? VERIFY_EXIT.usage : 2;
    this.exitCode = exitCode === 0 ? 0 : wrong;
    this.isHelp = isHelp;
    this.command = fullName(isDefault(command) ? (command.parent ?? command) : command);
    this.next = meant ?? `${this.command} --help`;
  }

  /** Returns the end that commander reports, in ralph's words. */
  static of(end: CommanderError, command: Command): CommandLineEnd {
    const isHelp = end.code === 'commander.help';
    const usage = isHelp ? { message: 'A command is missing.', meant: null } : usageErrorOf(end, command);
    return new CommandLineEnd(usage, command, { exitCode: end.exitCode, isHelp });
  }
}

/**
 * Returns whether the command is the default of its group: `ralph tasks` means `ralph tasks list`, and `ralph fleet`
 * means `ralph fleet status`.
 */
function isDefault(command: Command): boolean {
  const isShown = command.name() === 'list' || fullName(command) === 'ralph fleet status';
  return isShown && command.parent?.parent != null;
}

const MEANT = new Map([
  ['undo', 'rollback'],
  ['revert', 'rollback'],
  ['start', 'run'],
  ['retry', 'unblock'],
  ['kill', 'stop'],
  ['merge', 'land'],
  ['list', 'tasks'],
  ['config', 'doctor --config'],
  ['version', '--version'],
]);

/** Returns a usage error for a word that isn't a command below this one. */
export function unknownCommand(above: Command, word: string): UsageError {
  const [, ...path] = fullName(above).split(' ');
  const names = above.commands.map((one) => one.name());
  const meant = (above.parent === null ? MEANT.get(word) : undefined) ?? nearest(word, names);
  const hint = meant === null ? '' : ` Did you mean ${[...path, meant].join(' ')}?`;
  return {
    message: `Unknown command '${[...path, word].join(' ')}'.${hint}`,
    meant: meant === null ? null : retyped(word, meant.split(' ')),
  };
}

function unknownOption(command: Command, message: string): UsageError {
  const [, word = ''] = /'(.*)'/s.exec(message) ?? [];
  const [typed = ''] = word.split('=');
  const commands = command.parent === null ? [command] : [command, command.parent, rootOf(command)];
  const flags = commands.flatMap((one) => one.options.flatMap(({ long }) => long ?? []));
  const near = nearest(typed, [...flags, '--help']);
  return {
    message: `Unknown option '${typed}'.${near === null ? '' : ` Did you mean ${near}?`}`,
    meant: near === null ? null : retyped(word, [word.replace(typed, near)]),
  };
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function excessArgument(command: Command): UsageError {
  const words = command.args.slice(command.registeredArguments.length);
  const [word = '', ...others] = words;
  if (isDefault(command) && command.parent !== null) return unknownCommand(command.parent, word);
  const takesTasks = ['ralph run', 'ralph step'].includes(fullName(command));
  return {
    message: `${fullName(command)} doesn't take the argument '${word}'.${takesTasks ? ' Name a task with --task.' : ''}`,
    meant: takesTasks ? retyped(word, ['--task', words.join(',')], without(others)) : null,
  };
}

function without(words: readonly string[]): string[] {
  return process.argv.slice(2).filter((word) => !words.includes(word));
}

/** Forms of commander's messages, with ralph's. */
const WORDED: readonly (readonly [RegExp, string])[] = [
  [/^error: /, ''],
  [/^option '(?:-\w, )?(--\S+) (.*?)' argument missing$/s, '$1 needs a value: $1 $2'],
  [/^required option '(--.*?)' not specified$/s, '$1 is missing'],
  [/^missing required argument '(.*)'$/s, '<$1> is missing'],
  [/^option '(?:-\w, )?(--\S+) .*?' argument '(.*)' is invalid\./s, "$1 can't be '$2'."],
  [/^command-argument value '(.*)' is invalid for argument '(.*?)'\./s, "<$2> can't be '$1'."],
  [/Allowed choices are (.*)\.$/, 'Use $1.'],
];

/** Returns the error in ralph's words instead of commander's. */
function usageErrorOf({ code, message }: CommanderError, command: Command): UsageError {
  if (code === 'commander.unknownCommand') return unknownCommand(command, command.args[0] ?? '');
  if (code === 'commander.unknownOption') return unknownOption(command, message);
  if (code === 'commander.excessArguments') return excessArgument(command);
  const worded = WORDED.reduce((text, [form, words]) => text.replace(form, words), message);
  const [, value = '', choices = ''] = /can't be '(.*)'\. Use (.*)\.$/s.exec(worded) ?? [];
  const listed = choices.split(', ');
  const near = message.includes('Allowed choices are') ? nearest(value, listed) : null;
  return {
    message: `${capitalized(worded.replace(/(?<![.?!])$/, '.'))}${near === null ? '' : didYouMean(value, listed)}`,
    meant: near === null ? null : retyped(value, [near]),
  };
}

/**
 * Returns the typed command line with one word replaced by others, quoted for a shell; `null` where the word isn't in it,
 * or where the line has control characters, which can't be pasted.
 */
export function retyped(
  wrong: string,
  right: readonly string[],
  typed: readonly string[] = process.argv.slice(2),
): string | null {
  const at = typed.findIndex(
    (word) => word === wrong || (word.startsWith('--') && word.endsWith(`=${wrong}`)),
  );
  const found = typed[at];
  if (found === undefined || typed.some((word) => stripControl(word) !== word || word.includes('\n')))
    return null;
  const [first = '', ...others] = right;
  const replaced = [`${found.slice(0, found.length - wrong.length)}${first}`, ...others];
  return ['ralph', ...[...typed.slice(0, at), ...replaced, ...typed.slice(at + 1)].map(quoted)].join(' ');
}

function quoted(word: string): string {
  const [, flag = '', value = ''] = /^(--?[\w-]+=?)?(.*)$/s.exec(word) ?? [];
  return value === '' && flag !== '' ? flag : `${flag}${shellQuote(value)}`;
}
