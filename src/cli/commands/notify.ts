import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { NotifyResult } from '../../app/commands/notify.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { TRUST } from '../loop-options.ts';

export const examples: Examples = {
  'notify test': ['notify test'],
};

export function define(program: Command): void {
  program
    .command('notify')
    .command('test')
    .summary('Send a notification on every channel')
    .description('send one now on every channel of [notify], and say which took it')
    .option(...TRUST)
    .action(actionOf(run, true));
}

export async function run(call: Call, options: Pick<LoopOptions, 'trust'>) {
  const { notifyTest } = await import('../../app/commands/notify.ts');
  const { input, dispose } = openLoop(call, { ...options, commit: true, wait: true });
  const result = await notifyTest(input);
  dispose();
  await call.print(result, deliveriesText);
}

function deliveriesText({ deliveries }: NotifyResult, { style, para }: Terminal): string {
  return deliveries
    .map(({ channel, ok, tries, error }) =>
      ok
        ? para(`${style.bold(channel)} took it`, `${style.green('✔')} `, '  ')
        : para(
            `${style.bold(channel)}: ${error}, ${counted(tries, 'try', 'tries')}`,
            `${style.red('✖')} `,
            '  ',
          ),
    )
    .join('\n');
}
