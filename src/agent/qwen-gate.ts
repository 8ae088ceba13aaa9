import type { GateMessage, GatePlace } from '../domain/agent.ts';
import { preToolUseDenial, readHookCall } from './hook-gate.ts';
import { text } from './lenient.ts';

export const QWEN_SETTINGS = 'settings.json';

/** The longest delay of a timer, 24 days: a longer one ends at once, and a hook that timed out lets the call happen. */
const LONGEST_MS = 2_147_483_647;

/**
 * Taken for the machine's own settings: they win over those of person and project, whose hooks run beside ours.
 * A timeout from 1000 on is in milliseconds. In spite of it, qwen waits one minute for all hooks of a call together and
 * then goes on: a hook of somebody else that takes longer undoes our denial.
 */
export function qwenSettings({ client, patienceSeconds }: GatePlace): string {
  const timeout = Math.min(Math.max(patienceSeconds, 1) * 1000, LONGEST_MS);
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout }];
  return JSON.stringify({
    disableAllHooks: false,
    hooks: { SessionStart: [{ hooks }], PreToolUse: [{ matcher: '*', hooks }] },
  });
}

/** What a hook got on its standard input. */
export function readQwenHook(line: string): GateMessage {
  const message = readHookCall(line, 'PreToolUse', 'tool_call_id');
  if (message.kind !== 'action') return message;
  const { action } = message;
  // Where a command runs, when it is not to run in the folder of the session; an absolute path.
  return { ...message, action: { ...action, cwd: text(action.input.directory) || action.cwd } };
}

/** Of several hooks the last one's decision counts; `continue: false` holds whatever the others say. */
export function qwenDenial(reason: string): Record<string, unknown> {
  return { ...preToolUseDenial(reason), continue: false, stopReason: reason };
}
