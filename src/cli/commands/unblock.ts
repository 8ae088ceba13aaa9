import { type UnblockInput, type UnblockResult, unblock } from '../../app/commands/unblock.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { limitText } from '../render/words.ts';

export async function run(call: Call, tasks: readonly string[], options: Partial<UnblockInput>) {
  const { filter = null, timeout = null, timeoutMultiplier = null } = options;
  const { reason = null, fresh = false } = options;
  const input = { ...call, tasks, filter, timeout, timeoutMultiplier, reason, fresh };
  await call.print(await unblock(input), unblockText);
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
