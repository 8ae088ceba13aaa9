import { type Command, InvalidArgumentError, Option } from 'commander';
import { lazily, wholeNumber } from '../call.ts';
import { addReview } from './review.ts';

/** What shows how things are and what happened. */
export function addLook(program: Command): void {
  program
    .command('status')
    .description('what runs, what is next, what happened last')
    .action(lazily(() => import('../commands/status.ts'), false));
  program
    .command('watch')
    .argument('[dirs...]', 'repositories to watch side by side; by default the one that you are in')
    .description('a full screen to look and act; plain lines where there is no terminal')
    .action(lazily(() => import('../screen/watch.ts'), false));
  program
    .command('report')
    .argument(
      '[run]',
      'the run, or the beginning of its name; by default all since the report that you read last',
    )
    .option('--since <time>', 'all runs that ended since then: 18:00, 8h, or a date and time')
    .option('--list', 'the runs on record')
    .addOption(
      new Option('--html <file>', 'write it as a page in one file, with all that is behind it').conflicts(
        'list',
      ),
    )
    .addOption(
      new Option('--serve [port]', 'serve that page on this machine, until Ctrl-C')
        .argParser(portNumber)
        .conflicts(['list', 'html']),
    )
    .description('what a run did, what is left and why')
    .action(lazily(() => import('../commands/report.ts'), false));
  program
    .command('logs')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('-f, --follow', 'print it as it grows, until no run is active any more')
    .option('--failed', 'what failed it alone: the output of its gates, or the errors of the agent')
    .option('--raw', 'the output as the agent printed it')
    .option('--prompt', 'the prompt that the agent got')
    .description('what an agent said and did, and what came of it')
    .action(lazily(() => import('../commands/logs.ts'), false));
  program
    .command('diff')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('--stat', 'how many lines of which files')
    .option('--name-only', 'the names of the files alone')
    .description('what an attempt or a task changed')
    .action(lazily(() => import('../commands/diff.ts'), false));
  addReview(program);
  program
    .command('interventions')
    .description('what was detected and done about it')
    .option('--last <n>', 'only the newest n', wholeNumber)
    .addOption(new Option('--limit <n>', 'the same as --last').argParser(wholeNumber).conflicts('last'))
    .addOption(new Option('--latest', 'only the newest: --last 1').conflicts(['last', 'limit']))
    .option('--type <type>', 'only events of this type')
    .option('--severity <severity>', 'only info, warning or critical')
    .option('--task <id>', 'only events of this task')
    .option('--stats', 'how often each intervention was applied, and how often it helped')
    .option('--reset', 'archive the history and begin a new one')
    .action(
      lazily(
        () => import('../commands/interventions.ts'),
        ({ reset }) => reset === true,
      ),
    );
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(lazily(() => import('../commands/explain.ts'), false));
  program
    .command('prompt')
    .argument('[task]')
    .description('the prompt that would be sent')
    .action(lazily(() => import('../commands/prompt.ts'), false));
  program
    .command('profile')
    .description('how the agents behaved')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(
      lazily(
        () => import('../commands/profile.ts'),
        ({ reinstate }) => reinstate === true,
      ),
    );
  program
    .command('metrics')
    .description('counts of iterations, tasks, tokens and interventions')
    .action(lazily(() => import('../commands/metrics.ts'), false));
  program
    .command('replay')
    .argument('[run]', 'the run, or the beginning of its name; the newest by default')
    .description('decide a recorded run again, and name any difference')
    .action(lazily(() => import('../commands/replay.ts'), false));
}

export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('Use a number up to 65535.');
  return port;
}
