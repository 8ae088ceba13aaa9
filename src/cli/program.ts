import { Command, InvalidArgumentError, Option } from 'commander';
import { VERSION } from '../app/version.ts';
import { stripControl } from '../lib/text.ts';
import { addCommands } from './add-commands.ts';

/** Whether JSON was asked for, also where the rest of the command line cannot be understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const asked = argv.findLast(
    (word, index) => word.startsWith('--format=') || argv[index - 1] === '--format',
  );
  if (argv.includes('--json')) return true;
  return (asked?.replace('--format=', '') ?? process.env.RALPH_FORMAT) === 'json';
}

const FORMATS = ['text', 'json'];
/** Forms that one command alone has; `table` is the text of `ralph metrics`. */
const FORMATS_OF: Readonly<Record<string, readonly string[]>> = {
  metrics: ['table', 'prometheus'],
  report: ['markdown'],
};

/** A form of output that some command has: which one is called is not known yet. */
function formatOf(text: string): string {
  if ([...FORMATS, ...Object.values(FORMATS_OF).flat()].includes(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${FORMATS.join(', ')}.`);
}

function refuseForeignFormat(command: Command): void {
  const { format } = command.optsWithGlobals<{ format: string }>();
  const allowed = [...FORMATS, ...(FORMATS_OF[command.name()] ?? [])];
  if (allowed.includes(format)) return;
  const [owner] = Object.entries(FORMATS_OF).find(([, formats]) => formats.includes(format)) ?? [];
  command.error(
    `error: option '--format <format>' argument '${format}' is for ralph ${owner} alone. Allowed choices are ${allowed.join(', ')}.`,
  );
}

/** The command line. Each command's code is loaded when it is called, so that `--help` starts fast. */
export function buildProgram(): Command {
  const program = new Command('ralph')
    .description('Works through a list of tasks with a coding agent, and checks what it claims.')
    .version(VERSION, '--version', 'print the version')
    .option('--cwd <dir>', 'work in this folder')
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(FORMATS)
        .argParser(formatOf)
        .default('text')
        .env('RALPH_FORMAT'),
    )
    .option('--json', 'the same as --format json')
    .option('-q, --quiet', 'print the summary alone')
    .option('-v, --verbose', 'print more')
    .option('--no-color', 'print without colours')
    .showHelpAfterError('(ralph --help lists the commands and options)')
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_program, command) => refuseForeignFormat(command));
  program.configureOutput({
    writeErr: (text) => {
      if (!wantsJson(process.argv)) process.stderr.write(stripControl(text));
    },
  });

  addCommands(program);
  return program;
}
