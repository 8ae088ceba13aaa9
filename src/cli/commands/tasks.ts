import {
  type AcceptResult,
  acceptTasks,
  type ConvertResult,
  convert,
  type EditInput,
  type EditResult,
  editTasks,
  type ReopenResult,
  reopenTasks,
  type TasksResult,
  tasks,
} from '../../app/commands/tasks.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { ConvertFormat } from '../../lib/convert-formats.ts';
import { counted } from '../../lib/counted.ts';
import { match } from '../../lib/match.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import type { Call } from '../call.ts';

export type TasksCall =
  | { readonly action: 'list' }
  | { readonly action: 'accept'; readonly names: readonly string[]; readonly all: boolean }
  | { readonly action: 'edit'; readonly change: EditInput['change'] }
  | { readonly action: 'convert'; readonly to: ConvertFormat; readonly out: string | null }
  | { readonly action: 'reopen'; readonly names: readonly string[]; readonly reason: string | null };

export function run(call: Call, given: TasksCall): Promise<void> {
  return match(given, 'action', {
    list: async () => call.print(await tasks(call), tasksText),
    accept: async (given) => call.print(await acceptTasks({ ...call, ...given }), acceptText),
    edit: async ({ change }) => call.print(await editTasks({ ...call, change }), editText),
    convert: async (given) => {
      const result = await convert({ ...call, ...given });
      if (result.ok) {
        const { problems, lost } = result.data;
        for (const { place, message, holds } of problems)
          call.onNotice(`${holds === 'nothing' ? 'left out' : place}: ${message}`);
        for (const one of lost) call.onNotice(`${given.to} can't say: ${one}`);
      }
      await call.print(result, convertText, given.out === null);
    },
    reopen: async (given) => call.print(await reopenTasks({ ...call, ...given }), reopenText),
  });
}

/** `ralph tasks accept` */
export function acceptText({ accepted }: AcceptResult, { style }: Terminal): string {
  if (accepted.length === 0) return 'No task is ticked without being verified.';
  return accepted
    .map(({ id, title }) => `${style.green('✔')} ${style.bold(id)} is done, accepted by you: ${title}`)
    .join('\n');
}

/** `ralph tasks add`, `edit` and `remove` */
export function editText(
  { change, tracker, running, problems, tasks }: EditResult,
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
    ...problems.map((message) => style.yellow(para(message, '! '))),
    ...(running ? ['The current run will take it into account at its next choice.'] : []),
  ].join('\n');
}

/** `ralph tasks convert` */
export function convertText({ tracker, to, out, tasks, text }: ConvertResult, { para }: Terminal): string {
  if (out === null) return text.trimEnd();
  return para(
    `Wrote ${counted(tasks, 'task')} of ${tracker} to ${out} (${to}). To work with it: [tracker] path = "${out}".`,
  );
}

/** `ralph tasks reopen` */
export function reopenText({ reopened, mark, warnings }: ReopenResult, { style, para }: Terminal): string {
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    ...reopened.map(({ id, title }) => `${style.bold(id)} is open again: ${title}`),
    mark === 'left_to_the_run' ? 'The current run will pick it up.' : 'Next: ralph run',
  ].join('\n');
}

/** `ralph tasks` */
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
  const ids = tasks.filter(({ status }) => status === 'unverified').map(({ id }) => shellQuote(id));
  const hint = 'Not verified: ticked, but neither verified by ralph nor in a commit of yours. If it is done:';
  const which = ids.length > NAMED ? '--all' : ids.join(' ');
  return `${table}\n${terminal.para(hint)}\n  ralph tasks accept ${which}`;
}

/** Tasks that one command names. */
const NAMED = 5;

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
