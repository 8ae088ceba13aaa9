import { type Command, InvalidArgumentError } from 'commander';

import { actionOf, type Call, type Examples } from '../../call.ts';

export const examples: Examples = {
  'review hook': ['review hook claude'],
};

export function define(review: Command): void {
  review
    .command('hook')
    .argument('<agent>', 'an agent that asks a command before it acts', agentName)
    .summary('Review an agent that you use yourself')
    .description('review an agent that you use yourself; at a terminal: what its settings need')
    .action(actionOf(run, false));
}

/** Exit code of a denial. On any other code than 0 and 2, an agent acts without an answer. */
const EXIT_DENIED = 2;

export async function run(call: Call, agent: string) {
  const { answerHook, hookSettings } = await import('../../../app/commands/review/hook.ts');
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

function agentName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('the name of an agent is expected');
  return text;
}
