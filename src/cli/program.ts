import { Command, Option } from 'commander';
import { VERSION } from '../app/version.ts';
import { didYouMean } from '../lib/nearest.ts';
import { capitalized } from '../lib/text.ts';
import { FORMATS, FORMATS_OF, formatsOf } from './call.ts';
import { addCommands } from './define/index.ts';

/** Whether JSON was asked for, also where the rest of the command line cannot be understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const asked = argv.findLast(
    (word, index) => word.startsWith('--format=') || argv[index - 1] === '--format',
  );
  if (argv.includes('--json')) return true;
  return (asked?.replace('--format=', '') ?? process.env.RALPH_FORMAT) === 'json';
}

/** Whether no command is named, and nothing asked for that needs none: at most a folder and colours. */
export function isAlone(words: readonly string[]): boolean {
  if (words.at(-1) === '--cwd') return false;
  return words.every(
    (word, at) =>
      word === '--no-color' || word === '--cwd' || word.startsWith('--cwd=') || words[at - 1] === '--cwd',
  );
}

/** Which forms there are is known only with the command. */
function refuseUnknownFormat(command: Command): void {
  const { format } = command.optsWithGlobals<{ format: string }>();
  const allowed = formatsOf(command);
  if (allowed.includes(format)) return;
  const [owner] = Object.entries(FORMATS_OF).find(([, formats]) => formats.includes(format)) ?? [];
  const wrong =
    owner === undefined
      ? `isn't a form of output.${didYouMean(format, allowed)}`
      : `is for ralph ${owner} alone.`;
  command.error(`error: --format '${format}' ${wrong} Allowed choices are ${allowed.join(', ')}.`);
}

const AFTER_HELP = `
ralph COMMAND --help shows its options, and examples.
A first night: ralph init, then ralph run.
In the morning: ralph report`;

/** The command line. Each command's code is loaded when it is called, so that `--help` starts fast. */
export function buildProgram(): Command {
  const program = new Command('ralph')
    .description('Works through a list of tasks with a coding agent, and checks what it claims.')
    .version(VERSION, '--version', 'print the version')
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
    .showSuggestionAfterError()
    .addHelpText('after', AFTER_HELP)
    .configureHelp({
      // At 60 columns, too, descriptions are broken between words.
      minWidthToWrap: 20,
      subcommandTerm: (command) => command.name(),
      commandDescription: (command) => sentence(command.description()),
    })
    // What is wrong with a command line is printed where every error is.
    .configureOutput({
      outputError: () => undefined,
      writeErr: (text) => {
        if (!wantsJson(process.argv)) process.stderr.write(text);
      },
    })
    .hook('preAction', (_program, command) => refuseUnknownFormat(command));

  addCommands(program);
  return program;
}

function sentence(text: string): string {
  return `${capitalized(text)}${text.endsWith('.') ? '' : '.'}`;
}
