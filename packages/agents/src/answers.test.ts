import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { actionOf } from '../../../test/helpers/action.ts';
import type { HookMessage } from './event.ts';
import { ADAPTERS } from './index.ts';
import type { AgentName } from './known.ts';

const MESSAGE: HookMessage = {
  ...{ kind: 'action', request: 'r-1' },
  action: actionOf('Bash', { command: 'git push --force' }),
};
const INPUT = { command: 'git push --force-with-lease' };
const ALLOW: Ruling = { decision: 'allow' };
const WARN: Ruling = { decision: 'warn', rule: 'r', reason: 'mind the others' };
const MODIFY: Ruling = {
  ...{ decision: 'modify', rule: 'r', reason: 'It overwrites the work of others.' },
  ...{ alternative: 'git push --force-with-lease', input: INPUT },
};
const DENY: Ruling = { decision: 'deny', rule: 'r', reason: 'never' };
const INSTEAD = 'It overwrites the work of others. Instead: git push --force-with-lease';

/** What a hook prints, and its exit code; of a control channel the response. */
function answer(agent: AgentName, ruling: Ruling): unknown {
  const { hook } = ADAPTERS[agent];
  if (hook.transport === 'control channel') return JSON.parse(hook.answer(MESSAGE, ruling)).response;
  const { text, exitCode } = hook.answer(MESSAGE, ruling);
  if (hook.transport === 'plug-in') return [text, exitCode];
  return [text === '' ? '' : JSON.parse(text), exitCode];
}

const before = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
});
const denied = (reason: string) => before({ permissionDecision: 'deny', permissionDecisionReason: reason });
const success = (response: Record<string, unknown>) => ({ subtype: 'success', request_id: 'r-1', response });

/** As the contracts in agent-hooks.md have it, per agent: allow, warn, modify, deny. */
const ANSWERS: Readonly<Partial<Record<AgentName, readonly [unknown, unknown, unknown, unknown]>>> = {
  claude: [
    success({}),
    success(before({ additionalContext: 'mind the others' })),
    success(before({ updatedInput: INPUT, additionalContext: 'It overwrites the work of others.' })),
    success(denied('never')),
  ],
  codex: [
    ['', 0],
    [before({ additionalContext: 'mind the others' }), 0],
    [before({ permissionDecision: 'allow', updatedInput: INPUT }), 0],
    [denied('never'), 0],
  ],
  copilot: [
    ['', 0],
    [{ additionalContext: 'mind the others' }, 0],
    [
      {
        ...{ permissionDecision: 'allow', modifiedArgs: INPUT },
        additionalContext: 'It overwrites the work of others.',
      },
      0,
    ],
    [{ permissionDecision: 'deny', permissionDecisionReason: 'never' }, 0],
  ],
  gemini: [
    ['', 0],
    ['', 0],
    [{ decision: 'allow', hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: INPUT } }, 0],
    [{ decision: 'deny', reason: 'never' }, 0],
  ],
  opencode: [
    ['', 0],
    [JSON.stringify({ warning: 'mind the others' }), 0],
    [JSON.stringify({ input: INPUT }), 0],
    ['never', 2],
  ],
  qwen: [
    ['', 0],
    ['', 0],
    [before({ permissionDecision: 'allow', updatedInput: INPUT }), 0],
    [{ ...denied('never'), continue: false, stopReason: 'never' }, 0],
  ],
  pi: [
    ['', 0],
    [JSON.stringify({ warning: 'mind the others' }), 0],
    [INSTEAD, 2],
    ['never', 2],
  ],
  droid: [
    ['', 0],
    ['', 0],
    [before({ permissionDecision: 'allow', updatedInput: INPUT }), 0],
    [denied('never'), 2],
  ],
};

describe.each(Object.entries(ANSWERS))('%s', (agent, expected) => {
  it.each([
    ['allow', ALLOW, 0],
    ['warn', WARN, 1],
    ['modify', MODIFY, 2],
    ['deny', DENY, 3],
  ] as const)('%s', (_, ruling, index) => {
    expect(answer(agent as AgentName, ruling)).toEqual(expected[index]);
  });
});

describe('an agent that drops what is said before a call', () => {
  const over = (name: string) => ({
    hookSpecificOutput: { hookEventName: name, additionalContext: 'mind the others' },
  });

  it.each([
    ['gemini', 'AfterTool'],
    ['qwen', 'PostToolUse'],
    ['droid', 'PostToolUse'],
  ] as const)('%s asks again when it is over, and gets the warning then', (name, event) => {
    const { hook } = ADAPTERS[name];
    if (hook.transport === 'control channel') throw new Error('it asks over a socket');
    const asked = {
      hook_event_name: event,
      tool_name: 'run_shell_command',
      tool_input: { command: 'rm -r old' },
    };
    const message = hook.read(JSON.stringify(asked));
    expect(message).toMatchObject({ kind: 'done', action: { command: 'rm -r old' } });
    expect(JSON.parse(hook.answer(message, WARN).text)).toEqual(over(event));
    expect(hook.answer(message, ALLOW)).toEqual({ text: '', exitCode: 0 });
  });
});
