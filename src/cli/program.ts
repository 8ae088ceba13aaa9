import { Command, Option } from 'commander';
import { VERSION } from '../app/version.ts';
import { blockedCommands } from './commands/blocked.ts';
import { doctorCommand } from './commands/doctor.ts';
import { historyCommands } from './commands/history.ts';
import { queryCommands } from './commands/queries.ts';
import { replayCommand } from './commands/replay.ts';
import { runCommands } from './commands/run.ts';
import { setUpCommands } from './commands/set-up.ts';
import { trustCommand } from './commands/trust.ts';

/** Whether JSON was asked for, also where the rest of the command line cannot be understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const asked = argv.findLast(
    (word, index) => word.startsWith('--format=') || argv[index - 1] === '--format',
  );
  if (argv.includes('--json')) return true;
  return (asked?.replace('--format=', '') ?? process.env.RALPH_FORMAT) === 'json';
}

/** The command line. Each command's code is loaded when it is called, so that `--help` starts fast. */
export function buildProgram(): Command {
  const program = new Command('ralph')
    .description('Works through a list of tasks with a coding agent, and does not believe it.')
    .version(VERSION, '--version', 'print the version')
    .option('--cwd <dir>', 'work in this folder')
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(['text', 'json'])
        .default('text')
        .env('RALPH_FORMAT'),
    )
    .option('-q, --quiet', 'print the summary alone')
    .option('-v, --verbose', 'print more')
    .option('--no-color', 'print without colours')
    .showHelpAfterError('(ralph --help lists the commands and options)')
    .showSuggestionAfterError()
    .exitOverride();
  if (wantsJson(process.argv)) program.configureOutput({ writeErr: () => undefined });

  runCommands(program);
  setUpCommands(program);
  queryCommands(program);
  blockedCommands(program);
  historyCommands(program);
  replayCommand(program);
  doctorCommand(program);
  trustCommand(program);
  return program;
}
