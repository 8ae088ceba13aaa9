import { Argument, type Command } from 'commander';
import { BUILT_IN_AGENTS } from '../domain/agents.ts';
import { addReview } from './add-review.ts';
import { collect, lazily, timeToCome, wholeNumber } from './call.ts';

/**
 * Adds every command with its arguments and options, in the order of `ralph --help`. Each says whether it decides for
 * you (`Decides`): a command without an answer doesn't compile.
 */
export function addCommands(program: Command): void {
  addRuns(program);
  addTasks(program);
  addRecords(program);
  addReview(program);
  addUpkeep(program);
}

function addRuns(program: Command): void {
  loopOptions(program.command('run'))
    .description('work through the tasks until they are done')
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect, [])
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option('--until <time>', 'begin no attempt from then on: 07:00, 2h, 2030-01-31T07:00', timeToCome)
    .option('--model <name>', "the model of the run's agent, for this run")
    .option('--workers <n>', 'parallel workers (only 1 exists yet)', wholeNumber)
    .option('--dry-run', 'only show what would be done')
    .action(
      lazily(
        () => import('./commands/run.ts'),
        ({ dryRun }) => dryRun !== true,
      ),
    );
  loopOptions(program.command('step'))
    .description('one iteration')
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect, [])
    .option('--model <name>', "the model of the run's agent, for this run")
    .action(lazily(() => import('./commands/run.ts'), true));
  for (const [name, what] of [
    ['pause', 'have the run wait after the attempt it is at, until ralph continue'],
    ['continue', 'have a paused run continue'],
  ] as const) {
    program
      .command(name)
      .description(what)
      .action(lazily(() => import('./commands/running/control.ts'), true));
  }
  program
    .command('stop')
    .description('end the run after the attempt it is at')
    .option('--now', 'end the attempt, too, as Ctrl-C does')
    .action(lazily(() => import('./commands/running/control.ts'), true));
  program
    .command('demo')
    .description('see a false claim caught: the loop on a scratch repository with the scripted agent')
    .option('--keep', 'keep the scratch repository')
    .action(lazily(() => import('./commands/demo.ts'), false));
  program
    .command('init')
    .description('set up .ralph/ in this repository; asks on a terminal')
    .option('--force', 'replace existing files; the old ones are archived')
    .option('--agent <name>', `the agent: auto, ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--list <file>', 'a file that holds your tasks')
    .option('--task <title>', 'a first task for a new list; may be repeated', collect, [])
    .option('--gate <command>', 'a check, in place of those found; may be repeated', collect, [])
    .option('--no-gates', 'no checks')
    .option('--no-try', "don't run each check once")
    .option('-y, --yes', 'ask nothing: take what is found')
    .action(lazily(() => import('./commands/init.ts'), true));
  addFeedback(program.command('feedback').description('guidance for the agent'));
}

function addFeedback(feedback: Command): void {
  const give = lazily(
    () => import('./commands/feedback.ts'),
    ({ action }) => action !== 'list',
  );
  feedback
    .command('add')
    .argument('<text...>')
    .option('--task <id>', 'only for this task')
    .description('add guidance to the coming prompts')
    .action((words: string[], { task = null }, command: Command) =>
      give({ action: 'add', text: words.join(' '), task }, command),
    );
  feedback
    .command('list', { isDefault: true })
    .description('what the coming prompts will carry')
    .action((_options, command: Command) => give({ action: 'list', text: '', task: null }, command));
  feedback
    .command('clear')
    .description('remove the guidance that you added')
    .action((_options, command: Command) => give({ action: 'clear', text: '', task: null }, command));
}

function addTaskList(tasks: Command): void {
  const call = lazily(
    () => import('./commands/tasks.ts'),
    ({ action }) => action !== 'list',
  );
  tasks
    .command('list', { isDefault: true })
    .description('every task with its status')
    .action((_options, command: Command) => call({ action: 'list' }, command));
  tasks
    .command('add')
    .argument('<title>', 'what is to be done')
    .option('--priority <number>', '1 is the most urgent', wholeNumber)
    .option('--depends-on <id>', 'a task to wait for; may be repeated', collect, [])
    .option('--acceptance <text>', 'a criterion; may be repeated', collect, [])
    .description('add a task at the end of the list')
    .action((title: string, { priority = null, dependsOn, acceptance }, command: Command) =>
      call(
        { action: 'edit', change: { kind: 'add', task: { title, priority, dependsOn, acceptance } } },
        command,
      ),
    );
  tasks
    .command('edit')
    .argument('<id>', 'the task')
    .requiredOption('--title <text>', 'its new title')
    .description('give a task another title')
    .action((name: string, { title }, command: Command) =>
      call({ action: 'edit', change: { kind: 'retitle', name, title } }, command),
    );
  tasks
    .command('remove')
    .argument('<ids...>', 'the tasks')
    .description('take tasks out of the list')
    .action((names: string[], _options, command: Command) =>
      call({ action: 'edit', change: { kind: 'remove', names } }, command),
    );
  tasks
    .command('accept')
    .argument('[ids...]', 'tasks that are ticked and not verified')
    .option('--all', 'all of them')
    .description('accept them as done')
    .action((names: string[], { all = false }, command: Command) =>
      call({ action: 'accept', names, all }, command),
    );
  tasks
    .command('accept-edits')
    .argument('[ids...]', 'tasks that you edited or took out while a run was at work; none: all of them')
    .description('let those edits count')
    .action((names: string[], _options, command: Command) => call({ action: 'acceptEdits', names }, command));
  tasks
    .command('reopen')
    .argument('<ids...>', 'done tasks')
    .option('--reason <text>', 'why, for the record')
    .description('have them done again')
    .action((names: string[], { reason = null }, command: Command) =>
      call({ action: 'reopen', names, reason }, command),
    );
}

function addTasks(program: Command): void {
  program
    .command('status')
    .description('the run, the counts, what is next, the last events')
    .action(lazily(() => import('./commands/status.ts'), false));
  addTaskList(program.command('tasks').description('the list of tasks'));
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(lazily(() => import('./commands/explain.ts'), false));
  program
    .command('prompt')
    .argument('[task]')
    .description('the prompt that would be sent')
    .action(lazily(() => import('./commands/prompt.ts'), false));
  program
    .command('blocked')
    .description('blocked tasks with their reasons')
    .option('--suggest', 'what to do about each, with the command for it')
    .action(lazily(() => import('./commands/blocked.ts'), false));
  program
    .command('unblock')
    .argument('[tasks...]', 'ids of blocked tasks')
    .description('give blocked tasks a fresh series of attempts')
    .option('--timeout <duration>', 'time limit until the task is done: 600, 0.5, 90s, 30m, 2h')
    .option('--timeout-multiplier <factor>', 'that many times the longest timeout so far, for example 3.0')
    .option('--filter <what>', 'all blocked tasks of this level or reason, or whose id fits this glob')
    .option('--reason <text>', 'why, for the history of the task')
    .option('--fresh', 'begin without the work that was set aside')
    .action(lazily(() => import('./commands/unblock.ts'), true));
  loopOptions(program.command('retry-blocked'))
    .description('unblock by the suggested strategy, and run just those tasks')
    .option('--max-attempts <n>', 'attempts of each task (1)', wholeNumber, 1)
    .option('--filter <what>', 'only those of this level or reason, or whose id fits this glob')
    .option('--fresh', 'begin without the work that was set aside')
    .action(lazily(() => import('./commands/retry-blocked.ts'), true));
}

function addRecords(program: Command): void {
  program
    .command('interventions')
    .description('what was detected and done about it')
    .option('--last <n>', 'only the newest n', wholeNumber)
    .option('--type <type>', 'only events of this type')
    .option('--severity <severity>', 'only info, warning or critical')
    .option('--task <id>', 'only events of this task')
    .option('--stats', 'how often each intervention was applied, and how often it helped')
    .option('--reset', 'archive the history and begin a new one')
    .action(
      lazily(
        () => import('./commands/interventions.ts'),
        ({ reset }) => reset === true,
      ),
    );
  program
    .command('profile')
    .description('how the agents behaved')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(
      lazily(
        () => import('./commands/profile.ts'),
        ({ reinstate }) => reinstate === true,
      ),
    );
  program
    .command('report')
    .argument('[run]', 'the run, or the beginning of its name; by default the newest that did something')
    .description('what a run did, what is left and why; --format markdown for a pull request')
    .action(lazily(() => import('./commands/report.ts'), false));
  program
    .command('logs')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('-f, --follow', 'print it as it grows, until no run is active any more')
    .option('--raw', 'the output as the agent printed it')
    .option('--prompt', 'the prompt that the agent got')
    .description('what an agent said and did, and what came of it')
    .action(lazily(() => import('./commands/logs.ts'), false));
  program
    .command('diff')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('--stat', 'how many lines of which files')
    .option('--name-only', 'the names of the files alone')
    .description('what an attempt or a task changed')
    .action(lazily(() => import('./commands/diff.ts'), false));
  program
    .command('checkpoints')
    .addArgument(
      new Argument('[action]', 'list them, show one, compare one, bring set-aside work back, or drop one')
        .choices(['list', 'show', 'diff', 'apply', 'drop'])
        .default('list'),
    )
    .argument('[id]', 'to show, diff, apply and drop: RUN/N or kept/N')
    .argument('[other]', 'to diff: another one; the work tree as it is now by default')
    .description('the work trees that ralph keeps')
    .action(
      lazily(
        () => import('./commands/checkpoints.ts'),
        (action) => action === 'drop' || action === 'apply',
      ),
    );
  program
    .command('rollback')
    .argument('[id]', 'checkpoint to go back to; by default the tree before the newest iteration')
    .description('put the work tree back to a checkpoint, and keep what it held')
    .action(lazily(() => import('./commands/rollback.ts'), true));
}

function addUpkeep(program: Command): void {
  program
    .command('incidents')
    .addArgument(new Argument('[action]', 'list them, or show one').choices(['list', 'show']).default('list'))
    .argument('[id]', 'to show: INC-3 or 3; the open one by default')
    .description('emergency stops with their reports')
    .action(lazily(() => import('./commands/incidents.ts'), false));
  program
    .command('resume')
    .argument('[id]', 'INC-3 or 3; the only open one by default')
    .description('resolve an emergency stop; without --option: what you can choose from')
    .option('--option <option>', 'resume_with_limits, rollback_and_retry, manual_intervention or abort')
    .option('--reason <text>', 'why, for the record')
    .action(lazily(() => import('./commands/resume.ts'), true));
  program
    .command('metrics')
    .description('iterations, tasks, and how the interventions worked; --format table, json or prometheus')
    .action(lazily(() => import('./commands/metrics.ts'), false));
  program
    .command('replay')
    .argument('[run]', 'the run, or the beginning of its name; the newest by default')
    .description('recompute every decision of a run from the facts on record')
    .action(lazily(() => import('./commands/replay.ts'), false));
  program
    .command('doctor')
    .description('what a run needs, what is wrong, and how to fix it; changes nothing')
    .option('--config', 'every value of the configuration with where it came from')
    .option('--agents', 'what ralph can do with each agent')
    .action(lazily(() => import('./commands/doctor.ts'), false));
  program
    .command('trust')
    .description('accept the commands and prompt templates of this repository')
    .option('--list', 'only show them, and what was accepted')
    .option('--revoke', 'take back everything that was accepted here')
    .option('--journal', "accept a journal whose key isn't here: for example after a move to another machine")
    .action(
      lazily(
        () => import('./commands/trust.ts'),
        ({ list }) => list !== true,
      ),
    );
}

/** The options of every command that runs the loop. */
function loopOptions(command: Command): Command {
  return command
    .option('--agent <name>', `the agent: ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--mode <name>', 'speed, quality, exploration, or one of [modes]')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .option('--no-commit', 'never commit in this run')
    .option('--no-wait', 'end with exit 9 instead of waiting for a usage limit or an outage to pass')
    .option('--stream', "print the agent's words as they come");
}
