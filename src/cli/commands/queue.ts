import { explain } from '../../app/commands/explain.ts';
import {
  type FirstResult,
  first,
  type HoldResult,
  hold,
  type QueueResult,
  queue,
} from '../../app/commands/queue.ts';
import { unblock } from '../../app/commands/unblock.ts';
import { releaseCommand } from '../../domain/work-place.ts';
import { type Terminal, withLocalTimes } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import { match } from '../../lib/match.ts';
import type { Call } from '../call.ts';
import { words } from '../render/words.ts';
import { explainText } from './explain.ts';
import { unblockText } from './unblock.ts';

export type QueueCall =
  | { readonly action: 'list' }
  | { readonly action: 'show' | 'retry'; readonly task: string }
  | { readonly action: 'hold' | 'first'; readonly task: string; readonly off: boolean };

/** `ralph queue` */
export function run(call: Call, given: QueueCall): Promise<void> {
  return match(given, 'action', {
    list: async () => call.print(await queue(call), queueText),
    show: async ({ task }) =>
      call.print(await explain({ ...call, task }), (data, terminal) =>
        explainText({ ...data, others: [] }, terminal),
      ),
    retry: async ({ task }) => {
      const nothing = { filter: null, timeout: null, timeoutMultiplier: null, reason: null, fresh: false };
      return call.print(await unblock({ ...call, ...nothing, tasks: [task] }), unblockText);
    },
    hold: async ({ task, off }) => call.print(await hold({ ...call, task, off }), holdText),
    first: async ({ task, off }) => call.print(await first({ ...call, task, off }), firstText),
  });
}

/** What is at its end already. */
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
  return [table(rows, ['task', 'is', 'why']), ...rest].join('\n');
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
  if (!isDone) return para(`${id} is released.${running ? ' The current run will pick it up.' : ''}`);
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
