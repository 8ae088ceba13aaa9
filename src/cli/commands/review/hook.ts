import { answerHook, hookSettings } from '../../../app/commands/review/hook.ts';
import type { Call } from '../../call.ts';

/** Every other code than 0 and 2 lets an agent act without an answer. */
const EXIT_DENIED = 2;

/** `ralph review hook AGENT` */
export async function run(call: Call, agent: string) {
  if (process.stdin.isTTY === true) {
    await call.print(
      hookSettings({ agent }),
      ({ file, settings }) => `Put this into ${file}:\n\n${settings}`,
    );
    return;
  }
  process.exitCode = EXIT_DENIED;
  try {
    const answer = await answerHook({ cwd: call.cwd, agent });
    if ('ok' in answer) {
      process.stderr.write(`ralph: ${answer.message}\n`);
      return;
    }
    process.stdout.write(answer.text);
    process.exitCode = answer.exitCode;
  } catch (error) {
    process.stderr.write(`ralph: the review failed, so this is denied: ${String(error)}\n`);
  }
}
