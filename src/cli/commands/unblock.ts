import { type UnblockInput, type UnblockResult, unblock } from '../../app/commands/unblock.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { limitText } from '../render/words.ts';
import { run as runTasksOf } from './run.ts';

type UnblockOptions = Partial<UnblockInput> & { readonly run?: boolean };

export async function run(call: Call, tasks: readonly string[], options: UnblockOptions) {
  const { filter = null, timeout = null, timeoutMultiplier = null } = options;
  const { reason = null, fresh = false } = options;
  const input = { ...call, tasks, filter, timeout, timeoutMultiplier, reason, fresh };
  const result = await unblock(input);
  const toRun = result.ok && options.run === true ? result.data.unblocked.map(({ id }) => id) : [];
  // Of JSON there is one document: the run's.
  if (toRun.length === 0 || call.format !== 'json') await call.print(result, unblockText);
  if (toRun.length > 0) await runTasksOf(call, { task: toRun, commit: true, wait: true });
}

/** `ralph unblock` */
export function unblockText({ unblocked, mark, warnings }: UnblockResult, { style, para }: Terminal): string {
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    ...unblocked.map(({ id, title, timeout_seconds }) => {
      const limit = timeout_seconds === null ? '' : ` (${limitText(timeout_seconds)})`;
      return `${style.green('✔')} ${style.bold(id)} is unblocked${limit}: ${title}`;
    }),
    mark === 'left_to_the_run' ? 'The current run will pick it up.' : 'Next: ralph run',
  ].join('\n');
}
