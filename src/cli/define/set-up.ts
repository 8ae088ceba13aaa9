import { Argument, type Command } from 'commander';
import { BUILT_IN_AGENTS } from '../../lib/agents.ts';
import { collect, lazily } from '../call.ts';
import { SHELLS, type Shell } from '../completion/scripts.ts';
import { addEval } from './eval.ts';

/** What comes before the first run. */
export function addSetUp(program: Command): void {
  program
    .command('init')
    .description('set up .ralph/ in this repository; asks on a terminal')
    .option('--force', 'replace existing files; the old ones are archived')
    .option('--agent <name>', `the agent: auto, ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--list <file>', 'a file that holds your tasks')
    .option('--task <title>', 'a first task for a new list; may be repeated', collect)
    .option('--gate <command>', 'a check, in place of those found; may be repeated', collect)
    .option('--no-gates', 'no checks')
    .option('--no-try', "don't run each check once")
    .option('-y, --yes', 'ask nothing: take what is found')
    .action(lazily(() => import('../commands/init.ts'), true));
  program
    .command('demo')
    .description('see a false claim caught, in a scratch repository')
    .option(
      '--keep [dir]',
      'keep the scratch repository; with a folder: make the one of docs/FIRST_NIGHT.md there',
    )
    .action(lazily(() => import('../commands/demo.ts'), false));
  addEval(program);
  program
    .command('notify')
    .description('notifications')
    .command('test')
    .description('send one now on every channel of [notify], and say which took it')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .action(lazily(() => import('../commands/notify-test.ts'), true));
  program
    .command('trust')
    .description('accept the commands that this repository runs')
    .option('--list', 'only show them, and what was accepted')
    .option('--revoke', 'take back everything that was accepted here')
    .option('--journal', "accept a journal whose key isn't here: for example after a move to another machine")
    .action(
      lazily(
        () => import('../commands/trust.ts'),
        ({ list }) => list !== true,
      ),
    );
  addCompletion(program);
}

function addCompletion(program: Command): void {
  const give = lazily(() => import('../commands/completion.ts'), false);
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'what you type in').choices([...SHELLS]))
    .description('print the script that completes commands, tasks and runs in your shell')
    .action((shell: Shell, _options, command: Command) => give({ action: 'script', shell }, command));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .description('what could stand at the cursor')
    .action((words: string[], _options, command: Command) =>
      give({ action: 'reply', words, program }, command),
    );
}
