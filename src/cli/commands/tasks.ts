import { type Command, Option } from 'commander';
import { CONVERT_FORMATS, type ConvertFormat } from 'ralph-kit/convert-formats';
import { counted } from 'ralph-kit/counted';
import type {
  AcceptResult,
  ConvertResult,
  EditInput,
  EditResult,
  ReopenResult,
  TasksResult,
} from '../../app/commands/tasks.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { acceptCommand, nextLine } from '../../tell/index.ts';
import { actionOf, type Call, collect, type Examples, wholeNumber } from '../call.ts';
import { type DraftOptions, draftOptions } from '../loop-options.ts';

export const examples: Examples = {
  'tasks split': ['tasks split T-3'],
  'tasks add': [
    'tasks add "Write the changelog"',
    'tasks add "Log in by e-mail" --depends-on T-2 --acceptance "A wrong password is refused"',
  ],
  'tasks convert': ['tasks convert --to yaml', 'tasks convert --to task-master --out tasks.json'],
  'tasks edit': ['tasks edit T-3 --title "Log in by e-mail"'],
  'tasks remove': ['tasks remove T-3 T-4'],
  'tasks accept': ['tasks accept T-3', 'tasks accept --all'],
  'tasks reopen': ['tasks reopen T-3 --reason "It breaks on empty input"'],
};

export function define(program: Command): void {
  const tasks = program.command('tasks');
  tasks
    .command('list', { isDefault: true })
    .description('List every task with its status')
    .action(actionOf(list, false));
  tasks
    .command('add')
    .argument('<title...>', 'what is to be done')
    .option('--priority <number>', '1 is the most urgent', wholeNumber)
    .option('--depends-on <id>', 'a task to wait for; may be repeated', collect)
    .option('--acceptance <text>', 'a criterion; may be repeated', collect)
    .description('Add a task at the end of the list')
    .action(
      actionOf((call, words: readonly string[], { priority = null, dependsOn = [], acceptance = [] }) => {
        const task = { title: words.join(' '), priority, dependsOn, acceptance };
        return edit(call, { kind: 'add', task });
      }, true),
    );
  tasks
    .command('edit')
    .argument('<id>', 'the task')
    .requiredOption('--title <text>', 'its new title')
    .description("Change a task's title")
    .action(actionOf((call, name: string, { title }) => edit(call, { kind: 'retitle', name, title }), true));
  tasks
    .command('convert')
    .addOption(new Option('--to <form>', 'the form').choices([...CONVERT_FORMATS]).makeOptionMandatory())
    .option('--out <file>', 'write it to a new file; printed otherwise')
    .summary('Print the list in another form')
    .description('the list in another form, and what that can not say; the list stays as it is')
    .action(actionOf(convertList, false));
  tasks
    .command('remove')
    .argument('<ids...>', 'the tasks')
    .description('Take tasks out of the list')
    .action(actionOf((call, names: string[]) => edit(call, { kind: 'remove', names }), true));
  draftOptions(tasks.command('split'))
    .argument('<id>', 'the task')
    .summary('Have agents split a task')
    .description('have agents split a task that is too large; the pieces take its place with your yes')
    .action(actionOf(split, true));
  tasks
    .command('accept')
    .argument('[ids...]', 'tasks that are ticked and not verified, or that ralph tried and you finished')
    .option('--all', 'all of them')
    .description('Accept tasks as done')
    .action(actionOf(accept, true));
  tasks
    .command('reopen')
    .argument('<ids...>', 'done tasks')
    .option('--reason <text>', 'why, for the record')
    .description('Reopen done tasks')
    .action(actionOf(reopen, true));
}

async function list(call: Call) {
  const { tasks } = await import('../../app/commands/tasks.ts');
  await call.print(await tasks(call), tasksText);
}

async function edit(call: Call, change: EditInput['change']) {
  const { editTasks } = await import('../../app/commands/tasks.ts');
  await call.print(await editTasks({ ...call, change }), editText);
}

async function split(call: Call, name: string, options: DraftOptions) {
  await (await import('./plan.ts')).draftPlan(call, { kind: 'task', name }, options);
}

async function accept(call: Call, names: readonly string[], { all = false }: { readonly all?: boolean }) {
  const { acceptTasks } = await import('../../app/commands/tasks.ts');
  await call.print(await acceptTasks({ ...call, names, all }), acceptText);
}

async function reopen(call: Call, names: readonly string[], options: { readonly reason?: string }) {
  const { reopenTasks } = await import('../../app/commands/tasks.ts');
  await call.print(await reopenTasks({ ...call, names, reason: options.reason ?? null }), reopenText);
}

async function convertList(call: Call, options: { readonly to: ConvertFormat; readonly out?: string }) {
  const { convert } = await import('../../app/commands/tasks.ts');
  const { to, out = null } = options;
  const result = await convert({ ...call, to, out });
  if (result.ok) {
    const { problems, lost } = result.data;
    for (const { place, message, blocks } of problems)
      call.onNotice(`${blocks === 'nothing' ? 'left out' : place}: ${message}`);
    for (const one of lost) call.onNotice(`${to} can't say: ${one}`);
  }
  await call.print(result, convertText, out === null);
}

/** Returns the text of `ralph tasks accept`. */
export function acceptText({ accepted }: AcceptResult, { style }: Terminal): string {
  if (accepted.length === 0) return 'No task is ticked without being verified.';
  return accepted
    .map(({ id, title }) => `${style.green('✔')} ${style.bold(id)} is done, accepted by you: ${title}`)
    .join('\n');
}

/** Returns the text of `ralph tasks add`, `edit` and `remove`. */
export function editText(
  { change, tracker, running, problems, freed, tasks }: EditResult,
  { style, para }: Terminal,
): string {
  const done = tasks.map(({ id, title, was }) => {
    const name = style.bold(id);
    if (change === 'add') return para(`Added ${name} to ${tracker}: ${title}`);
    if (change === 'remove') return para(`Removed ${name} from ${tracker}: ${was ?? ''}`);
    return para(`${name} is now: ${title}`);
  });
  return [
    ...done,
    ...freed.map(({ id, from }) => para(`${style.bold(id)} no longer depends on ${from.join(', ')}.`)),
    ...problems.map((message) => style.yellow(para(message, '! '))),
    ...(running ? [nextLine(null)] : []),
  ].join('\n');
}

/** Returns the text of `ralph tasks convert`. */
export function convertText({ tracker, to, out, tasks, text }: ConvertResult, { para }: Terminal): string {
  if (out === null) return text.trimEnd();
  return para(
    `Wrote ${counted(tasks, 'task')} of ${tracker} to ${out} (${to}). To work with it: [tracker] path = "${out}".`,
  );
}

/** Returns the text of `ralph tasks reopen`. */
export function reopenText({ reopened, next, warnings }: ReopenResult, { style, para }: Terminal): string {
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    ...reopened.map(({ id, title }) => `${style.bold(id)} is open again: ${title}`),
    nextLine(next),
  ].join('\n');
}

/** Returns the text of `ralph tasks`. */
export function tasksText({ tracker, problems, tasks }: TasksResult, terminal: Terminal): string {
  const wrong = problems.map(({ place, message }) =>
    terminal.style.yellow(terminal.para(`${place}: ${message}`, '! ')),
  );
  if (tasks.length === 0) return [...wrong, `There are no tasks in ${tracker}.`].join('\n');
  return [tasksTable(tasks, terminal), ...wrong].join('\n');
}

function tasksTable(tasks: TasksResult['tasks'], terminal: Terminal): string {
  const table = terminal.table(
    tasks.map(({ id, status, problem, attempts, title }) => [
      id,
      problem === null ? statusWord(status, terminal) : terminal.style.yellow('to fix'),
      attempts === 0 ? '' : counted(attempts, 'attempt'),
      title,
    ]),
  );
  if (!tasks.some(({ status }) => status === 'unverified')) return table;
  const hint =
    'Not verified: ticked, but neither verified by ralph nor accepted from a commit. If it is done:';
  return `${table}\n${terminal.para(hint)}\n  ${acceptCommand(tasks)}`;
}

function statusWord(status: TasksResult['tasks'][number]['status'], { style }: Terminal): string {
  return {
    done: style.green('done'),
    unverified: style.yellow('not verified'),
    blocked: style.red('blocked'),
    in_progress: style.cyan('unfinished'),
    parked: style.yellow('waiting'),
    open: 'open',
  }[status];
}
