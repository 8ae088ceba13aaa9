import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { FirstResult, HoldResult, QueueResult } from '../../app/commands/queue.ts';
import { releaseCommand } from '../../domain/work-place.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { nextLine, withLocalTimes, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { explainText } from './explain.ts';

export const examples: Examples = {
  queue: ['queue', 'queue hold T-3', 'queue hold T-3 --off', 'queue first T-4'],
};

export function define(program: Command): void {
  const queue = program
    .command('queue')
    .description('what is not on your branch yet, in its order, and why it waits');
  queue
    .command('list', { isDefault: true })
    .description('List tasks not landed yet, next to land first')
    .action(actionOf(list, false));
  queue
    .command('show')
    .argument('<task>')
    .description('Show all that is known of one task')
    .action(actionOf(show, false));
  queue
    .command('retry')
    .argument('<task>')
    .summary('Unblock a task')
    .description('give a blocked task a fresh series of attempts, as ralph unblock does')
    .action(
      actionOf(async (call, task: string) => (await import('./unblock.ts')).run(call, [task], {}), true),
    );
  queue
    .command('hold')
    .argument('<task>')
    .option('--off', 'release it')
    .summary('Hold a task back')
    .description('start no attempt at a task and land no result of it, until you release it')
    .action(actionOf(holdBack, true));
  queue
    .command('first')
    .argument('<task>')
    .option('--off', 'give it its own place again')
    .summary('Start a task before all others')
    .description('start a task before all others, whatever their priority')
    .action(actionOf(putFirst, true));
}

async function list(call: Call) {
  const { queue } = await import('../../app/commands/queue.ts');
  await call.print(await queue(call), queueText);
}

async function show(call: Call, task: string) {
  const { explain } = await import('../../app/commands/explain.ts');
  await call.print(await explain({ ...call, task }), (data, terminal) =>
    explainText({ ...data, others: [] }, terminal),
  );
}

type Off = { readonly off?: boolean };

async function holdBack(call: Call, task: string, { off = false }: Off) {
  const { hold } = await import('../../app/commands/queue.ts');
  await call.print(await hold({ ...call, task, off }), holdText);
}

async function putFirst(call: Call, task: string, { off = false }: Off) {
  const { first } = await import('../../app/commands/queue.ts');
  await call.print(await first({ ...call, task, off }), firstText);
}

const SOON: ReadonlySet<string> = new Set(['landing', 'verified']);
const AT_WORK: ReadonlySet<string> = new Set(['working', 'turn', 'gates', 'review']);

export function queueText({ queue: all, done }: QueueResult, { table, style }: Terminal): string {
  const now = new Date();
  const rest = done === 0 ? [] : [style.dim(`${counted(done, 'task')} done.`)];
  if (all.length === 0) return ['Nothing is left to do.', ...rest].join(' ');
  const paint = (kind: string) =>
    SOON.has(kind) ? style.green(words(kind)) : kind === 'blocked' ? style.red(kind) : words(kind);
  const rows = all.map(({ task_id, kind, why, command }) => [
    ...[task_id, paint(kind)],
    withLocalTimes(command === null ? why : `${why}: ${command}`, now),
  ]);
  return [table(rows, ['task', 'state', 'reason']), ...rest].join('\n');
}

export function holdText({ id, held, already, was, running }: HoldResult, { para }: Terminal): string {
  const isDone = was !== null && SOON.has(was);
  if (held) {
    const what = isDone
      ? "doesn't land"
      : was !== null && AT_WORK.has(was)
        ? "is at work; its result doesn't land"
        : "isn't started";
    const until = already
      ? `${id} is already held back. To release it:`
      : `${id} ${what} until you release it:`;
    return [para(until), `  ${releaseCommand(id)}`].join('\n');
  }
  if (!isDone) return para(`${id} is released.${running ? ` ${nextLine(null)}` : ''}`);
  const when = running ? 'lands with the next result' : 'lands with the next run';
  return para(`${id} is released, and ${when}, or now: ralph land`);
}

export function firstText(
  { id, first: isFirst, waits_for: waits, was }: FirstResult,
  { para }: Terminal,
): string {
  if (!isFirst) return para(`${id} has its own place again.`);
  if (was === 'held') return para(`${id} goes first once you release it: ${releaseCommand(id)}`);
  if (waits.length > 0)
    return para(`${id} goes first once ${waits.join(', ')} ${waits.length === 1 ? 'is' : 'are'} done.`);
  return para(`${id} goes before all others.`);
}
