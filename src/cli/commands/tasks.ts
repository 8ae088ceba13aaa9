import { type TasksResult, tasks } from '../../app/commands/tasks.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';

export async function run(call: Call) {
  await call.print(await tasks(call), tasksText);
}

/** `ralph tasks` */
export function tasksText({ tracker, tasks }: TasksResult, terminal: Terminal): string {
  if (tasks.length === 0) return `There are no tasks in ${tracker}.`;
  return terminal.table(
    tasks.map(({ id, status, attempts, title }) => [
      id,
      statusWord(status, terminal),
      attempts === 0 ? '' : counted(attempts, 'attempt'),
      title,
    ]),
  );
}

function statusWord(status: TasksResult['tasks'][number]['status'], { style }: Terminal): string {
  switch (status) {
    case 'done':
      return style.green('done');
    case 'blocked':
      return style.red('blocked');
    case 'in_progress':
      return style.cyan('unfinished');
    case 'parked':
      return style.yellow('waiting');
    default:
      return status;
  }
}
