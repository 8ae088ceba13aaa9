import type { Command } from 'commander';
import type { UnblockInput, UnblockResult } from '../../app/commands/unblock.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { limitText, nextLine } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { TIMEOUT_MULTIPLIER } from '../loop-options.ts';
import { run as runTasksOf } from './run.ts';

export const examples: Examples = {
  unblock: ['unblock T-3', 'unblock T-3 --timeout 30m', "unblock --filter 'api-*'"],
};

export function define(program: Command): void {
  program
    .command('unblock')
    .argument('[tasks...]', 'ids of blocked tasks')
    .option('--timeout <duration>', 'time limit until the task is done: 600, 0.5, 90s, 30m, 2h')
    .option(...TIMEOUT_MULTIPLIER)
    .option('--filter <what>', 'all blocked tasks of this level or reason, or whose id fits this glob')
    .option('--reason <text>', 'why, for the history of the task')
    .option('--fresh', 'begin without the work that is kept')
    .option('--run', 'then work at them, and at nothing else')
    .action(actionOf(run, true));
}

type UnblockOptions = Partial<UnblockInput> & { readonly run?: boolean };

export async function run(call: Call, tasks: readonly string[], options: UnblockOptions) {
  const { unblock } = await import('../../app/commands/unblock.ts');
  const { filter = null, timeout = null, timeoutMultiplier = null } = options;
  const { reason = null, fresh = false } = options;
  const input = { ...call, tasks, filter, timeout, timeoutMultiplier, reason, fresh };
  const result = await unblock(input);
  const toRun = result.ok && options.run === true ? result.data.unblocked.map(({ id }) => id) : [];
  // JSON output is a single document. With --run, the run prints it.
  if (toRun.length === 0 || call.format !== 'json') await call.print(result, unblockText);
  if (toRun.length > 0) await runTasksOf(call, { task: toRun, commit: true, wait: true });
}

export function unblockText({ unblocked, next, warnings }: UnblockResult, { style, para }: Terminal): string {
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    ...unblocked.map(({ id, title, timeout_seconds }) => {
      const limit = timeout_seconds === null ? '' : ` (${limitText(timeout_seconds)})`;
      return `${style.green('✔')} ${style.bold(id)} is unblocked${limit}: ${title}`;
    }),
    nextLine(next),
  ].join('\n');
}
