import type { Command, CommanderError } from 'commander';
import { VERIFY_EXIT } from '../../domain/verification.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { capitalized } from '../../lib/text.ts';
import { fullName } from '../call.ts';
import { EXAMPLES } from './examples.ts';
import { addFix } from './fix.ts';
import { addFleet } from './fleet.ts';
import { addLook } from './look.ts';
import { addSetUp } from './set-up.ts';
import { addWork } from './work.ts';

/** How a command line ends that isn't carried out: it isn't understood, or asks for help or the version (exit code 0). */
export class CommandLineEnd extends Error {
  readonly exitCode: number;
  /** Help was printed: it was asked for, or no command was given. */
  readonly isHelp: boolean;
  /** The command as far as it was understood: `ralph tasks add`. */
  readonly command: string;

  constructor(end: CommanderError, command: Command) {
    const isHelp = end.code === 'commander.help';
    super(isHelp ? 'A command is missing.' : messageOf(end, command));
    // There, 2 is the exit code of a verdict.
    const wrong = command.name() === 'verify' ? VERIFY_EXIT.usage : 2;
    this.exitCode = end.exitCode === 0 ? 0 : wrong;
    this.isHelp = isHelp;
    this.command = fullName(isDefault(command) ? (command.parent ?? command) : command);
  }
}

/**
 * Adds every command with its arguments and options, in the groups and the order of `ralph --help`. Each says whether
 * it decides for you (`Decides`): a command without an answer doesn't compile.
 */
export function addCommands(program: Command): void {
  addWork(program.commandsGroup('Work:'));
  addFleet(program.command('fleet').description('the same work on many machines'));
  addLook(program.commandsGroup('Look:'));
  addFix(program.commandsGroup('Fix:'));
  addSetUp(program.commandsGroup('Set up:'));
  program.helpCommand(false).commandsGroup('Look:');
  program
    .command('help')
    .argument('[command...]')
    .description('the options of a command, and examples')
    .action((words: readonly string[]) => helpOf(program, words));
  complete(program);
}

/** Prints the help of the command that these words name, such as `tasks add`. */
function helpOf(program: Command, words: readonly string[]): void {
  const found = words.reduce((above, word) => {
    const known = above.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (known !== undefined) return known;
    const names = above.commands.map((one) => one.name());
    const called = [...fullName(above).split(' ').slice(1), word].join(' ');
    return program.error(`Unknown command '${called}'.${didYouMean(word, names)}`);
  }, program);
  found.outputHelp();
}

/** Gives each command the examples below its help, and has it say how its call ended. */
function complete(command: Command): void {
  const lines = EXAMPLES[fullName(command).slice('ralph '.length)] ?? [];
  if (lines.length > 0) {
    command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ralph ${line}`)].join('\n'));
  }
  command.exitOverride((end) => {
    throw new CommandLineEnd(end, command);
  });
  for (const below of command.commands) complete(below);
}

/** `ralph tasks` is `ralph tasks list`, and `ralph fleet` is `ralph fleet status`. */
function isDefault(command: Command): boolean {
  const isShown = command.name() === 'list' || fullName(command) === 'ralph fleet status';
  return isShown && command.parent?.parent != null;
}

/** What other programs call it. */
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

/** A sentence in place of commander's words. */
function messageOf({ code, message }: CommanderError, command: Command): string {
  const meant = code === 'commander.unknownCommand' ? MEANT.get(command.args[0] ?? '') : undefined;
  if (meant !== undefined) return `Unknown command '${command.args[0]}'. Did you mean ralph ${meant}?`;
  if (code === 'commander.excessArguments') {
    const [word = ''] = command.args.slice(command.registeredArguments.length);
    const takesTasks = ['ralph run', 'ralph step'].includes(fullName(command));
    const hint = takesTasks ? ` For one task: ${fullName(command)} --task ${shellQuote(word)}` : '';
    if (!isDefault(command) || command.parent === null)
      return `${fullName(command)} takes no ${word}.${hint}`;
    const known = command.parent.commands.map((one) => one.name());
    return `Unknown command ${fullName(command.parent)} ${word}.${didYouMean(word, known)}`;
  }
  const sentence = message
    .replace(/^error: /, '')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*?)'\./s,
      "'$1' isn't a value of [$2].",
    )
    .replace(/\n\((.*)\)$/, '. $1')
    .replace(/(?<![.?!])$/, '.');
  return capitalized(sentence);
}
