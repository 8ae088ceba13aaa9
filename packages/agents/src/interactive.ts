import { own } from 'ralph-kit/own';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import type { SocketHook } from './hook.ts';
import { CLAUDE_FORMS } from './hooks/claude-channel.ts';
import { commandHook, numberKey, readHookCall } from './hooks/hook-forms.ts';
import { qwen } from './qwen.ts';

/** Hook of an agent that you use yourself outside of a run. */
export type InteractiveHook = {
  readonly hook: SocketHook;
  readonly file: string;
  /** Returns the text to put into the settings file. */
  readonly settings: (command: string) => string;
};

/** Seconds that an agent waits; a review takes a fraction of one, and agents may ignore a later answer. */
const PATIENCE_SECONDS = 20;

/** Every failure must exit with 2: other codes allow the action. */
const failClosed = (command: string) => `${command} || exit 2`;

/** Returns JSON settings with one hook for all tools. @param timeout In the agent's own unit. */
function json(event: string, matcher: string, timeout: number): InteractiveHook['settings'] {
  return (command) => {
    const hooks = [{ type: 'command', command: failClosed(command), timeout }];
    return JSON.stringify({ hooks: { [event]: [{ matcher, hooks }] } }, null, 2);
  };
}

const HOOKS: Readonly<Record<string, InteractiveHook>> = {
  claude: {
    // Outside a run, claude asks by a command like the others.
    hook: commandHook({
      key: numberKey,
      read: (text) => readHookCall(text, claude.action, 'PreToolUse'),
      forms: CLAUDE_FORMS,
    }),
    file: '.claude/settings.json',
    settings: json('PreToolUse', '*', PATIENCE_SECONDS),
  },
  codex: {
    hook: codex.hook,
    file: '~/.codex/config.toml',
    settings: (command) =>
      `[[hooks.PreToolUse]]\nmatcher = ".*"\nhooks = [{ type = "command", command = ${JSON.stringify(failClosed(command))}, timeout = ${PATIENCE_SECONDS} }]\n`,
  },
  gemini: {
    hook: gemini.hook,
    file: '.gemini/settings.json',
    settings: json('BeforeTool', '.*', PATIENCE_SECONDS * 1000),
  },
  qwen: {
    hook: qwen.hook,
    file: '.qwen/settings.json',
    settings: json('PreToolUse', '*', PATIENCE_SECONDS * 1000),
  },
  droid: {
    hook: droid.hook,
    file: '.factory/settings.json',
    settings: json('PreToolUse', '*', PATIENCE_SECONDS),
  },
};

export const INTERACTIVE_AGENTS: readonly string[] = Object.keys(HOOKS);

/** Returns the hook of an agent that you use yourself; `null`: the agent is unknown or asks no command. */
export function interactiveHook(agent: string): InteractiveHook | null {
  return own(HOOKS, agent) ?? null;
}
