import type { SocketHook } from '../domain/agent.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { CLAUDE_FORMS } from './hooks/claude-channel.ts';
import { commandHook, numberKey, readHookCall } from './hooks/hook-forms.ts';
import { qwen } from './qwen.ts';

/** An agent that you use yourself, outside of a run, and that asks a command before it acts. */
export type InteractiveHook = {
  readonly hook: SocketHook;
  /** Where its settings are. */
  readonly file: string;
  /** What has to stand in there. */
  readonly settings: (command: string) => string;
};

/** Seconds that an agent waits: a review takes a fraction of one, and what ends later than this may count as none. */
const PATIENCE_SECONDS = 20;

/** Whatever goes wrong has to end with 2: other codes let the action happen. */
const failClosed = (command: string) => `${command} || exit 2`;

function json(hooks: (command: string) => object): InteractiveHook['settings'] {
  return (command) => JSON.stringify({ hooks: hooks(failClosed(command)) }, null, 2);
}

/** With a run, claude asks on its own output; alone, by a command like the others. */
const claudeCommand = commandHook({
  key: numberKey,
  read: (text) => readHookCall(text, claude.action, 'PreToolUse'),
  forms: CLAUDE_FORMS,
});

const HOOKS: ReadonlyMap<string, InteractiveHook | null> = new Map([
  [
    'claude',
    {
      hook: claudeCommand,
      file: '.claude/settings.json',
      settings: json((command) => ({
        PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command, timeout: PATIENCE_SECONDS }] }],
      })),
    },
  ],
  [
    'codex',
    withCommand(codex.hook, {
      file: '~/.codex/config.toml',
      settings: (command) =>
        `[[hooks.PreToolUse]]\nmatcher = ".*"\nhooks = [{ type = "command", command = ${JSON.stringify(failClosed(command))}, timeout = ${PATIENCE_SECONDS} }]\n`,
    }),
  ],
  [
    'gemini',
    withCommand(gemini.hook, {
      file: '.gemini/settings.json',
      settings: json((command) => ({
        BeforeTool: [
          { matcher: '.*', hooks: [{ type: 'command', command, timeout: PATIENCE_SECONDS * 1000 }] },
        ],
      })),
    }),
  ],
  [
    'qwen',
    withCommand(qwen.hook, {
      file: '.qwen/settings.json',
      settings: json((command) => ({
        PreToolUse: [
          { matcher: '*', hooks: [{ type: 'command', command, timeout: PATIENCE_SECONDS * 1000 }] },
        ],
      })),
    }),
  ],
]);

function withCommand(
  hook: (typeof codex)['hook'],
  rest: Omit<InteractiveHook, 'hook'>,
): InteractiveHook | null {
  return hook?.transport === 'hook' ? { hook, ...rest } : null;
}

export const INTERACTIVE_AGENTS: readonly string[] = [...HOOKS.keys()];

/** `null`: the agent asks no command, or isn't known. */
export function interactiveHook(agent: string): InteractiveHook | null {
  return HOOKS.get(agent) ?? null;
}
