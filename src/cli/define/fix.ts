import { Argument, type Command } from 'commander';
import { collect, lazily, wholeNumber } from '../call.ts';
import { loopOptions } from './loop-options.ts';

/** What helps where something went wrong. */
export function addFix(program: Command): void {
  program
    .command('doctor')
    .description('what a run needs, what is wrong, and how to fix it')
    .option('--config', 'every value of the configuration with where it came from')
    .option('--agents', 'what ralph can do with each agent')
    .action(lazily(() => import('../commands/doctor.ts'), false));
  program
    .command('blocked')
    .description('blocked tasks with their reasons')
    .option('--suggest', 'what to do about each, with the command for it')
    .action(lazily(() => import('../commands/blocked.ts'), false));
  program
    .command('unblock')
    .argument('[tasks...]', 'ids of blocked tasks')
    .description('give blocked tasks a fresh series of attempts')
    .option('--timeout <duration>', 'time limit until the task is done: 600, 0.5, 90s, 30m, 2h')
    .option('--timeout-multiplier <factor>', 'that many times the longest timeout so far, for example 3.0')
    .option('--filter <what>', 'all blocked tasks of this level or reason, or whose id fits this glob')
    .option('--reason <text>', 'why, for the history of the task')
    .option('--fresh', 'begin without the work that is kept')
    .option('--run', 'then work at them, and at nothing else')
    .action(lazily(() => import('../commands/unblock.ts'), true));
  loopOptions(program.command('retry-blocked'))
    .description('unblock as suggested, and run just those tasks')
    .option('--max-attempts <n>', 'attempts of each task (1)', wholeNumber, 1)
    .option('--filter <what>', 'only those of this level or reason, or whose id fits this glob')
    .option('--timeout-multiplier <factor>', 'that many times the longest timeout so far, for example 3.0')
    .option('--fresh', 'begin without the work that is kept')
    .option('--dry-run', 'only show what would be retried, and with which limit')
    .action(
      lazily(
        () => import('../commands/retry-blocked.ts'),
        ({ dryRun }) => dryRun !== true,
      ),
    );
  program
    .command('answer')
    .argument('[task]', 'the task that asks; by default all that you are asked is listed')
    .argument('[text...]', 'what the agent needs to know')
    .description('answer the question of an agent, which then continues')
    .action(
      lazily(
        () => import('../commands/answer.ts'),
        (task, words) => task !== undefined && words.length > 0,
      ),
    );
  program
    .command('checkpoints')
    .addArgument(
      new Argument('[action]', 'list them, show one, compare one, or drop one')
        .choices(['list', 'show', 'diff', 'drop'])
        .default('list'),
    )
    .argument('[id]', 'to show, diff and drop: RUN/N, or a task for its kept work')
    .argument('[other]', 'to diff: another one; the work tree as it is now by default')
    .description('the work trees that ralph keeps')
    .action(
      lazily(
        () => import('../commands/checkpoints.ts'),
        (action) => action === 'drop',
      ),
    );
  program
    .command('take')
    .argument('<task>', 'the task')
    .option('--attempt <n>', 'its work as it was after this attempt of its current series', wholeNumber)
    .option('--ignored <path>', 'a file that git ignores, from the copy; may be repeated', collect)
    .description('bring the work at a task that is not done to your checkout')
    .action(lazily(() => import('../commands/take.ts'), true));
  program
    .command('land')
    .argument('[task]', 'one that you took back: land it again')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .description('bring what is verified and waits to your branch')
    .action(lazily(() => import('../commands/land.ts'), true));
  program
    .command('work')
    .addArgument(
      new Argument('[action]', 'print where it lies, or remove it')
        .choices(['path', 'clean'])
        .default('path'),
    )
    .argument('[task]', 'whose work it has to hold')
    .description('the copy of your work tree in which tasks are worked at')
    .action(
      lazily(
        () => import('../commands/work.ts'),
        (action) => action === 'clean',
      ),
    );
  program
    .command('rollback')
    .argument('[id]', 'checkpoint to go back to; by default that before the newest iteration')
    .description('take back what was done since a checkpoint: in the copy, and by a revert what landed')
    .action(lazily(() => import('../commands/rollback.ts'), true));
  program
    .command('incidents')
    .addArgument(new Argument('[action]', 'list them, or show one').choices(['list', 'show']).default('list'))
    .argument('[id]', 'to show: INC-3 or 3; the open one by default')
    .description('emergency stops with their reports')
    .action(lazily(() => import('../commands/incidents.ts'), false));
  addHumanGates(program);
  program
    .command('resume')
    .argument('[id]', 'INC-3 or 3; the only open one by default')
    .description('resolve an emergency stop, or let runs continue that a policy stopped, with a new budget')
    .option(
      '--option <option>',
      'resume_with_limits, rollback_and_retry, manual_intervention (you approve each action) or abort; without it: the choices',
    )
    .option('--reason <text>', 'why, for the record')
    .action(lazily(() => import('../commands/resume.ts'), true));
}

/** What only you decide. */
function addHumanGates(program: Command): void {
  const actions = ['list', 'show', 'decide', 'verify', 'report'];
  program
    .command('approvals')
    .addArgument(
      new Argument('[action]', 'list requests, show one, decide one, verify the log, report a false positive')
        .choices(actions)
        .default('list'),
    )
    .argument('[id]', 'G-3 or 3; to report: the event, e-12')
    .argument('[option]', 'to decide: approve, reject, …; without it you are asked at a terminal')
    .option('--reason <text>', 'why, for the log and the agent')
    .option('--guidance <text>', 'what the agent should do')
    .option('--agent <name>', 'to delegate: the agent that gets the task')
    .option('--key <file>', 'private SSH key to sign with; by default the one in ssh-agent or ~/.ssh')
    .description('what waits for your decision, and the decisions')
    .action(
      lazily(
        () => import('../commands/human/approvals.ts'),
        (action) => action === 'decide' || action === 'report',
      ),
    );
  program
    .command('whitelist')
    .addArgument(
      new Argument('[action]', 'list the entries, add one, remove one')
        .choices(['list', 'add', 'remove'])
        .default('list'),
    )
    .argument('[what]', 'to add: a kind of finding, such as test_skip; to remove: W-3')
    .option('--path <file>', 'in this file only; by default everywhere')
    .option('--reason <text>', 'why')
    .description('false positives to ignore')
    .action(
      lazily(
        () => import('../commands/human/whitelist.ts'),
        (action) => action !== 'list',
      ),
    );
}
