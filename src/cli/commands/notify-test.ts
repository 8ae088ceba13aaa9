import { type NotifyResult, notifyTest } from '../../app/commands/notify.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';

/** `ralph notify test` */
export async function run(call: Call, options: Pick<LoopOptions, 'trust'>) {
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
