import { type Command, Option } from 'commander';
import { CONVERT_FORMATS } from '../../lib/convert-formats.ts';
import { collect, lazily, timeToCome, wholeNumber } from '../call.ts';
import { loopOptions } from './loop-options.ts';

/** What starts, ends and guides the work. */
export function addWork(program: Command): void {
  loopOptions(program.command('run'))
    .description('work through the tasks until they are done')
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect)
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option('--until <time>', 'start no attempt after this time: 07:00, 2h, 2030-01-31T07:00', timeToCome)
    .option('--model <name>', "the model of the run's agent, for this run")
    .option('--workers <n>', 'attempts at once, each at another task', wholeNumber)
    .option('--dry-run', 'only show what would be done')
    .action(
      lazily(
        () => import('../commands/run.ts'),
        ({ dryRun }) => dryRun !== true,
      ),
    );
  loopOptions(program.command('step'))
    .description('make one attempt at the next task')
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect)
    .option('--model <name>', "the model of the run's agent, for this run")
    .action(lazily(() => import('../commands/run.ts'), true));
  program
    .command('gates')
    .argument('[names...]', 'gates by their names; all by default')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .description('run the checks now, as a run would, and say what is red and why')
    .action(lazily(() => import('../commands/gates.ts'), true));
  program
    .command('verify')
    .argument(
      '[range]',
      'BASE..HEAD; by default what is not committed, else the branch; of the main one what is not pushed, else its last commit',
    )
    .option('--branch <name>', 'a branch, since the main one')
    .option('--pr <number>', 'a pull request, by gh', wholeNumber)
    .option('--staged', 'what is staged')
    .option('--dirty', 'the work tree as it is')
    .option('--task <id>', 'it is to do this task')
    .option('--text <text>', 'what was asked for')
    .option('--criteria <file>', 'criteria and checks, one a line')
    .option('--report <file>', 'what is said of the work, - for the standard input: its evidence is checked')
    .option('--sarif <file>', 'write the answer as SARIF, too')
    .option('--markdown <file>', 'write it as Markdown, too')
    .option('--receipt <file>', 'write the answer as a signed receipt to a new file')
    .option('--note', 'attach the receipt to the commit, as a note in refs/notes/ralph')
    .option('--sign <key>', "the SSH key of the receipt; by default git's user.signingKey")
    .option('--check <receipt>', 'instead, check a receipt offline; - for the standard input')
    .option('--signers <file>', "whose receipts count; by default git's gpg.ssh.allowedSignersFile")
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .description('judge work that ralph did not start: a branch, a pull request, a commit')
    .action(lazily(() => import('../commands/verify.ts'), true));
  program
    .command('stop')
    .description('end the run after the attempt it is at')
    .option('--now', 'end the attempt, too, as Ctrl-C does')
    .action(lazily(() => import('../commands/running/control.ts'), true));
  for (const [name, what] of [
    ['pause', 'have the run wait after its attempt, until ralph continue'],
    ['continue', 'have a paused run continue'],
  ] as const) {
    program
      .command(name)
      .description(what)
      .action(lazily(() => import('../commands/running/control.ts'), true));
  }
  addWorkers(program.command('workers').description('who is at which task, since when and where'));
  addQueue(
    program.command('queue').description('what is not on your branch yet, in its order, and why it waits'),
  );
  addPlan(program.command('plan'));
  addTaskList(program.command('tasks').description('the list of tasks, and changes to it'));
  addLessons(
    program.command('lessons').description('findings that came back, and whether showing them helped'),
  );
  addFeedback(program.command('feedback').description('guidance for the next attempts of the agent'));
}

function addWorkers(workers: Command): void {
  const give = lazily(
    () => import('../commands/workers.ts'),
    ({ action }) => action === 'stop' || action === 'drain',
  );
  workers
    .command('list', { isDefault: true })
    .description('each worker of the run that is active')
    .action((_options, command: Command) => give({ action: 'list' }, command));
  workers
    .command('logs')
    .argument('<worker>', 'its number')
    .option('-f, --follow', 'print it as it grows, until the attempt is over')
    .description('what the agent of a worker says and does now')
    .action((worker: string, { follow = false }, command: Command) =>
      give({ action: 'logs', worker, follow }, command),
    );
  workers
    .command('stop')
    .argument('<worker>', 'its number')
    .description('end its attempt, which costs the task none; it starts no other one in this run')
    .action((worker: string, _options, command: Command) => give({ action: 'stop', worker }, command));
  workers
    .command('drain')
    .description('end the run once the attempts that are running are over, as ralph stop does')
    .action((_options, command: Command) => give({ action: 'drain' }, command));
}

function addQueue(queue: Command): void {
  const give = lazily(
    () => import('../commands/queue.ts'),
    ({ action }) => action !== 'list' && action !== 'show',
  );
  queue
    .command('list', { isDefault: true })
    .description('all that is left, the nearest to your branch first')
    .action((_options, command: Command) => give({ action: 'list' }, command));
  queue
    .command('show')
    .argument('<task>')
    .description('all that is known of one task')
    .action((task: string, _options, command: Command) => give({ action: 'show', task }, command));
  queue
    .command('retry')
    .argument('<task>')
    .description('give a blocked task a fresh series of attempts, as ralph unblock does')
    .action((task: string, _options, command: Command) => give({ action: 'retry', task }, command));
  queue
    .command('hold')
    .argument('<task>')
    .option('--off', 'release it')
    .description('start no attempt at a task and land no result of it, until you release it')
    .action((task: string, { off = false }, command: Command) =>
      give({ action: 'hold', task, off }, command),
    );
  queue
    .command('first')
    .argument('<task>')
    .option('--off', 'give it its own place again')
    .description('start a task before all others, whatever their priority')
    .action((task: string, { off = false }, command: Command) =>
      give({ action: 'first', task, off }, command),
    );
}

/** The options of a command that has agents draft tasks. */
function draftOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'take the tasks into the list without asking')
    .option('--agent <name>', 'the agent that plans, for this once')
    .option('--model <name>', 'its model')
    .option('--trust', 'accept the commands that this repository would run, and remember that');
}

function addPlan(plan: Command): void {
  const give = lazily(
    () => import('../commands/plan.ts'),
    ({ action }) => action !== 'review' && action !== 'list',
  );
  draftOptions(plan)
    .argument('[idea...]', 'what you want: text, a file, or the address of a GitHub issue')
    .option('--review', 'read the list instead, and name what is vague, too large or not shown')
    .description('have agents draft tasks, which are checked; your yes writes them into the list')
    .action((words: string[], { review = false, ...options }, command: Command) =>
      give(
        review ? { action: 'review' } : { action: 'draft', of: { kind: 'idea', words }, ...options },
        command,
      ),
    );
  plan
    .command('list')
    .description('proposals that wait for your yes')
    .action((_options, command: Command) => give({ action: 'list' }, command));
  plan
    .command('accept')
    .argument('[id]', 'the proposal; the only one by default')
    .option('-y, --yes', 'without asking')
    .description('take the tasks of a proposal into the list, with their checks')
    // An option that `plan` has too is its own, wherever it stands.
    .action((id: string | undefined, _options, command: Command) =>
      give({ action: 'accept', id: id ?? null, yes: command.optsWithGlobals().yes === true }, command),
    );
  plan
    .command('drop')
    .argument('[id]', 'the proposal; the only one by default')
    .description('forget a proposal')
    .action((id: string | undefined, _options, command: Command) =>
      give({ action: 'drop', id: id ?? null, yes: true }, command),
    );
}

function addTaskList(tasks: Command): void {
  const call = lazily(
    () => import('../commands/tasks.ts'),
    ({ action }) => action !== 'list' && action !== 'convert',
  );
  tasks
    .command('list', { isDefault: true })
    .description('every task with its status')
    .action((_options, command: Command) => call({ action: 'list' }, command));
  tasks
    .command('add')
    .argument('<title>', 'what is to be done')
    .option('--priority <number>', '1 is the most urgent', wholeNumber)
    .option('--depends-on <id>', 'a task to wait for; may be repeated', collect)
    .option('--acceptance <text>', 'a criterion; may be repeated', collect)
    .description('add a task at the end of the list')
    .action((title: string, { priority = null, dependsOn = [], acceptance = [] }, command: Command) =>
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
    .command('convert')
    .addOption(new Option('--to <form>', 'the form').choices([...CONVERT_FORMATS]).makeOptionMandatory())
    .option('--out <file>', 'write it to a new file; printed otherwise')
    .description('the list in another form, and what that can not say; the list stays as it is')
    .action(({ to, out = null }, command: Command) => call({ action: 'convert', to, out }, command));
  tasks
    .command('remove')
    .argument('<ids...>', 'the tasks')
    .description('take tasks out of the list')
    .action((names: string[], _options, command: Command) =>
      call({ action: 'edit', change: { kind: 'remove', names } }, command),
    );
  draftOptions(tasks.command('split'))
    .argument('<id>', 'the task')
    .description('have agents split a task that is too large; the pieces take its place with your yes')
    .action(
      lazily<[name: string, options: object]>(async () => {
        const { run } = await import('../commands/plan.ts');
        return {
          run: (call, name, options) =>
            run(call, { action: 'draft', of: { kind: 'task', name }, ...options }),
        };
      }, true),
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
    .command('reopen')
    .argument('<ids...>', 'done tasks')
    .option('--reason <text>', 'why, for the record')
    .description('reopen done tasks')
    .action((names: string[], { reason = null }, command: Command) =>
      call({ action: 'reopen', names, reason }, command),
    );
}

function addLessons(lessons: Command): void {
  const give = lazily(
    () => import('../commands/guidance/lessons.ts'),
    ({ action }) => action === 'drop',
  );
  lessons
    .command('list', { isDefault: true })
    .description('the lessons, the most frequent first')
    .action((_options, command: Command) => give({ action: 'list', key: '' }, command));
  lessons
    .command('drop')
    .argument('<key>')
    .description('forget a lesson')
    .action((key: string, _options, command: Command) => give({ action: 'drop', key }, command));
}

function addFeedback(feedback: Command): void {
  const give = lazily(
    () => import('../commands/guidance/feedback.ts'),
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
