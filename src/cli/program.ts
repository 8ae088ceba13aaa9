import { Command, Option } from 'commander';
import { nearest } from 'ralph-kit/nearest';
import { capitalized } from 'ralph-kit/text';
import { VERSION } from '../app/version.ts';
import { type Call, calling, type Examples, FORMATS, FORMATS_OF, formatsOf, fullName } from './call.ts';
import { CommandLineEnd, retyped, unknownCommand } from './command-line-end.ts';
import { groupsOf, listedIn, printAll, showsAll } from './listed.ts';
import { COMMANDS } from './registry.ts';

/** Returns whether JSON is requested, even if the rest of the command line isn't understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const asked = argv.findLast(
    (word, index) => word.startsWith('--format=') || argv[index - 1] === '--format',
  );
  if (argv.includes('--json')) return true;
  return (asked?.replace('--format=', '') ?? process.env.RALPH_FORMAT) === 'json';
}

/** Returns whether the words name no command, and have no options except `--cwd` and `--no-color`. */
export function isAlone(words: readonly string[]): boolean {
  if (words.at(-1) === '--cwd') return false;
  return words.every(
    (word, at) =>
      word === '--no-color' || word === '--cwd' || word.startsWith('--cwd=') || words[at - 1] === '--cwd',
  );
}

/** Refuses unknown formats. This happens after parsing, because the command decides which formats there are. */
function refuseUnknownFormat(command: Command): void {
  const { format } = command.optsWithGlobals<{ format: string }>();
  const allowed = formatsOf(command);
  if (allowed.includes(format)) return;
  const [owner] = Object.entries(FORMATS_OF).find(([, formats]) => formats.includes(format)) ?? [];
  const meant = nearest(format, allowed);
  const isFromEnvironment = command.getOptionValueSourceWithGlobals('format') === 'env';
  const wrong = owner === undefined ? "isn't a form of output." : `is for ralph ${owner} alone.`;
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  const name = isFromEnvironment ? 'RALPH_FORMAT' : '--format';
  const message = `${name} '${format}' ${wrong}${hint} ${fullName(command)} prints ${allowed.join(', ')}.`;
  const next = isFromEnvironment ? 'unset RALPH_FORMAT' : retyped(format, [meant ?? 'json']);
  throw new CommandLineEnd({ message, meant: next }, command);
}

const AFTER_HELP = `
ralph COMMAND --help shows its options, and examples.
All commands: ralph help all
A first night: ralph init, then ralph run.
In the morning: ralph report`;

/** Options of the program that have a value. */
const WITH_VALUE = ['--cwd', '--format'];

/**
 * Returns the name of the called command: the first word that is neither an option nor an option's value; `null`: there
 * is none.
 */
export function commandIn(words: readonly string[]): string | null {
  return words.find((word, at) => !word.startsWith('-') && !WITH_VALUE.includes(words[at - 1] ?? '')) ?? null;
}

/** Asks `buildProgram` for every command with its options, as in the documentation. */
export const EVERY = Symbol('every command');

/**
 * Builds the command line. Only the file of the called command is loaded, so that ralph starts fast.
 *
 * @param called Name of the called command. If it isn't one, all commands are listed without their options.
 */
export async function buildProgram(called: string | null | typeof EVERY): Promise<Command> {
  const program = new Command('ralph')
    .description('Works through a list of tasks with a coding agent, and checks what it claims.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--cwd <dir>', 'work in this folder')
    .addOption(
      new Option('--format <format>', `form of the output: ${FORMATS.join(', ')}`)
        .default('text')
        .env('RALPH_FORMAT'),
    )
    .option('--json', 'the same as --format json')
    .option('-q, --quiet', 'print the summary alone')
    .option('-v, --verbose', 'print more')
    .option('--no-color', 'print without colours')
    // ralph suggests for its own words and for commander's by the same rule.
    .showSuggestionAfterError(false)
    .addHelpText('after', ({ command }) => (showsAll(command) ? '' : AFTER_HELP))
    .configureHelp({
      // Descriptions are wrapped between words even with 60 columns.
      minWidthToWrap: 20,
      visibleCommands: listedIn,
      groupItems: groupsOf,
      subcommandTerm: (command) => command.name(),
      commandDescription: (command) => sentence(command.description()),
    })
    // ralph prints usage errors like all other errors, so commander must print none.
    .configureOutput({
      outputError: () => undefined,
      writeErr: (text) => {
        if (!wantsJson(process.argv)) process.stderr.write(text);
      },
    })
    .hook('preAction', (_program, command) => refuseUnknownFormat(command));

  const all = Object.entries(COMMANDS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, [summary, load]]) => ({ group, name, summary, load })),
  );
  const isKnown = all.some(({ name }) => name === called);
  const examples: Record<string, readonly string[]> = {};
  for (const { group, name, summary, load } of all) {
    program.commandsGroup(group);
    // One file may define several commands.
    if (called === EVERY || called === name) {
      const file = await load();
      if (!program.commands.some((one) => one.name() === name)) file.define(program);
      Object.assign(examples, file.examples);
    } else if (!isKnown) program.command(name);
    const command = program.commands.find((one) => one.name() === name);
    if (command === undefined) continue;
    command.summary(summary);
    if (command.description() === '') command.description(summary);
  }
  program.helpCommand(false).commandsGroup('Look:');
  program
    .command('help')
    .argument('[command...]')
    .description("Show a command's options and examples")
    .action(async (words: readonly string[]) => helpOf(await buildProgram(words[0] ?? null), words));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .description('Print completions for the word at the cursor')
    .action(calling(completions, false));
  complete(program, examples);
  return program;
}

/** Answers a shell's completion script, which asks at each press of Tab. The last word is at the cursor. */
async function completions(call: Call, words: readonly string[]): Promise<void> {
  const { reply } = await import('./completion/reply.ts');
  const program = await buildProgram(commandIn(words.slice(0, -1)));
  process.stdout.write(await reply(call, program, words));
}

/** Returns the examples of all commands, by command. */
export async function allExamples(): Promise<Examples> {
  const files = Object.values(COMMANDS).flatMap((commands) => Object.values(commands));
  const loaded = await Promise.all(files.map(([, load]) => load()));
  return Object.assign({}, ...loaded.map(({ examples }) => examples));
}

/** Prints the help of the command that the words name, such as `tasks add`. `all` prints all commands. */
function helpOf(program: Command, words: readonly string[]): void {
  if (words.length === 1 && words[0] === 'all') {
    printAll(program);
    return;
  }
  const found = words.reduce((above, word) => {
    const known = above.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (known !== undefined) return known;
    throw new CommandLineEnd(unknownCommand(above, word), above);
  }, program);
  found.outputHelp();
}

/** Adds examples to the help of each command, and lets every command throw `CommandLineEnd` instead of exiting. */
function complete(command: Command, examples: Examples): void {
  const lines = examples[fullName(command).slice('ralph '.length)] ?? [];
  if (lines.length > 0) {
    command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ralph ${line}`)].join('\n'));
  }
  command.exitOverride((end) => {
    throw CommandLineEnd.of(end, command);
  });
  for (const option of command.options.filter(({ required }) => required)) refuseFlagAsValue(command, option);
  for (const below of command.commands) complete(below, examples);
}

/** Commander takes any word as an option's value, so `--task --dry-run` would name a task called `--dry-run`. */
function refuseFlagAsValue(command: Command, option: Option): void {
  const { parseArg } = option;
  option.argParser((value, previous) => {
    const flags = [command, ...(command.parent === null ? [] : [command.parent])].flatMap(
      (one) => one.options,
    );

    if (flags.some(({ long }) => long === value))
      command.error(`error: option '${option.flags}' argument missing`, {
        code: 'commander.optionMissingArgument',
      });
    return parseArg === undefined ? value : parseArg(value, previous);
  });
}

function sentence(text: string): string {
  return `${capitalized(text)}${text.endsWith('.') ? '' : '.'}`;
}
