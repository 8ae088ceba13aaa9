import { Argument, type Command } from 'commander';
import { BUILT_IN_AGENTS } from '../../lib/agents.ts';
import { collect, lazily, wholeNumber } from '../call.ts';
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
  addHook(program.command('hook').description('have an agent of yours ask ralph before it stops'));
  program
    .command('mcp')
    .description(
      'serve verify, tasks, status and report to an agent, as tools over standard input and output',
    )
    .action(lazily(() => import('../commands/mcp.ts'), false));
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

type Limits = { readonly maxAsks: number; readonly maxTime: number };

function addHook(hook: Command): void {
  const give = lazily(
    () => import('../commands/hook.ts'),
    ({ action }) => action === 'install' || action === 'remove',
  );
  const dryRun = ['--dry-run', 'only show what would be written'] as const;
  hook
    .command('install')
    .argument('<agent>', 'claude, codex, copilot or gemini')
    .option('--max-asks <n>', 'how often in a row it is sent back', wholeNumber, 3)
    .option('--max-time <seconds>', 'for the gates', wholeNumber, 300)
    .option('-y, --yes', 'without asking')
    .option(...dryRun)
    .description('write a stop hook into the settings of the agent in this repository')
    .action((agent: string, options: Limits, command: Command) =>
      give({ action: 'install', agent, ...options }, command),
    );
  hook
    .command('remove')
    .argument('<agent>', 'claude, codex, copilot or gemini')
    .option(...dryRun)
    .description('take it out again')
    .action((agent: string, options: object, command: Command) =>
      give({ action: 'remove', agent, ...options }, command),
    );
  hook
    .command('list', { isDefault: true })
    .description('agents that can have it, and those that have')
    .action((_options, command: Command) => give({ action: 'list' }, command));
  hook
    .command('run', { hidden: true })
    .argument('<agent>')
    .option('--max-asks <n>', '', wholeNumber, 3)
    .option('--max-time <seconds>', '', wholeNumber, 300)
    .description('what the hook calls')
    .action((agent: string, options: Limits, command: Command) =>
      give({ action: 'run', agent, ...options }, command),
    );
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
