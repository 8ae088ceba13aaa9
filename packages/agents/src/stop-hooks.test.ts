import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STOP_HOOK_AGENTS, type StopHook, stopHookOf } from './index.ts';

const SECONDS = 330;

function hookOf(agent: string): StopHook {
  const hook = stopHookOf(agent);
  if (typeof hook === 'string') throw new Error(hook);
  return hook;
}

function commandOf(agent: string): string {
  return `ralph hook run ${agent} --max-asks 3`;
}

function shared(agent: string, stop: string, unit: number) {
  const hooks = (timeout: number) => [
    { hooks: [{ type: 'command', command: `${commandOf(agent)} | cat`, timeout: timeout * unit }] },
  ];
  return { hooks: { SessionStart: hooks(30), [stop]: hooks(SECONDS) } };
}

const OF_COPILOT = { type: 'command', bash: `${commandOf('copilot')} | cat` };
const ALONE: Readonly<Record<string, object>> = {
  claude: shared('claude', 'Stop', 1),
  codex: shared('codex', 'Stop', 1),
  copilot: {
    version: 1,
    hooks: {
      sessionStart: [{ ...OF_COPILOT, timeoutSec: 30 }],
      agentStop: [{ ...OF_COPILOT, timeoutSec: SECONDS }],
    },
  },
  gemini: shared('gemini', 'AfterAgent', 1000),
};

describe.each(STOP_HOOK_AGENTS)('the settings of %s', (agent) => {
  const hook = hookOf(agent);
  const add = (settings: string) => hook.add(settings, commandOf(agent), SECONDS);

  it('get two entries where there is no file, and none of it is left', () => {
    const added = add('');
    expect(JSON.parse(added)).toEqual(ALONE[agent]);
    expect(hook.isInstalled(added)).toBe(true);
    expect(hook.remove(added)).toBe('');
  });

  it('keep all that is there, in its form', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const list = fc.array(fc.record({ hooks: fc.constant([{ type: 'command', command: 'mine' }]) }), {
      minLength: 1,
      maxLength: 3,
    });
    const event = fc.constantFrom('Stop', 'AfterAgent', 'SessionStart', 'agentStop', 'PreToolUse');
    const settings = fc.record(
      { model: value, hooks: fc.dictionary(event, list, { minKeys: 1 }), other: value },
      { requiredKeys: ['model'] },
    );
    const form = fc.constantFrom<(one: object) => string>(
      (one) => JSON.stringify(one),
      (one) => JSON.stringify(one, null, 2),
      (one) => `${JSON.stringify(one, null, '\t')}\n`,
      (one) => JSON.stringify(one, null, 4).replaceAll('\n', '\r\n'),
      (one) => `// mine\n${JSON.stringify(one, null, 2).replace('{', '{ /* of claude */')}\n`,
    );
    fc.assert(
      fc.property(settings, form, (given, write) => {
        const text = write(given);
        const added = add(text);
        expect(hook.isInstalled(text)).toBe(false);
        expect(hook.isInstalled(added)).toBe(true);
        expect(hook.remove(added)).toBe(text);
        // Another time, with another command: the earlier one is replaced.
        expect(hook.remove(hook.add(added, `ralph hook run ${agent} --max-asks 9`, 9))).toBe(text);
        for (const line of text.split('\n').slice(1, -1))
          expect(added).toContain(line.trim().replace(/,$/, ''));
      }),
    );
  });

  it('are refused where they are not what they should be', () => {
    for (const text of [
      '{',
      '[]',
      '"x"',
      '{"hooks": []}',
      '{"hooks": {"SessionStart": 1, "sessionStart": 1}}',
    ])
      expect(() => add(text), text).toThrow(/^(?:it isn't valid JSON|.+ isn't an? )/);
  });

  it('lose the entry where other things were added since', () => {
    const added = add('');
    const mine = { hooks: [{ type: 'command', command: `mine ralph hook run ${agent} x` }] };
    const changed = JSON.parse(added);
    for (const list of Object.values<object[]>(changed.hooks)) list.push(mine);
    const rest = JSON.parse(hook.remove(JSON.stringify(changed)));
    expect(Object.values(rest.hooks)).toEqual([[mine], [mine]]);
  });
});

const CLAUDE = { session_id: 's', cwd: '/r', transcript_path: '/t' };
const COPILOT = { sessionId: 's', cwd: '/r', timestamp: 1 };

it.each<[agent: string, input: object | string, expected: object]>([
  [
    'claude',
    { ...CLAUDE, hook_event_name: 'SessionStart', source: 'startup' },
    { kind: 'started', session: 's' },
  ],
  [
    'claude',
    { ...CLAUDE, hook_event_name: 'Stop', stop_hook_active: false },
    { kind: 'stops', session: 's', isAskedBack: false },
  ],
  [
    'codex',
    { ...CLAUDE, hook_event_name: 'Stop', stop_hook_active: true },
    { kind: 'stops', session: 's', isAskedBack: true },
  ],
  [
    'gemini',
    { ...CLAUDE, hook_event_name: 'AfterAgent', stop_hook_active: true },
    { kind: 'stops', session: 's', isAskedBack: true },
  ],
  ['gemini', { ...CLAUDE, hook_event_name: 'Stop' }, { kind: 'other' }],
  ['claude', { ...CLAUDE, hook_event_name: 'SubagentStop' }, { kind: 'other' }],
  ['claude', { hook_event_name: 'Stop' }, { kind: 'other' }],
  ['copilot', { ...COPILOT, source: 'new' }, { kind: 'started', session: 's' }],
  [
    'copilot',
    { ...COPILOT, stopReason: 'end_turn', stop_hook_active: true },
    { kind: 'stops', session: 's', isAskedBack: true },
  ],
  ['copilot', { ...COPILOT, stopReason: 'error' }, { kind: 'other' }],
  ['claude', 'not json', { kind: 'other' }],
  ['claude', '[]', { kind: 'other' }],
  ['claude', '', { kind: 'other' }],
])('%s says %j', (agent, input, expected) => {
  expect(hookOf(agent).read(typeof input === 'string' ? input : JSON.stringify(input))).toEqual(expected);
});

it.each([
  ['claude', '{"decision":"block","reason":"why"}', '{"systemMessage":"so"}'],
  ['codex', '{"decision":"block","reason":"why"}', '{"systemMessage":"so"}'],
  ['copilot', '{"decision":"block","reason":"why"}', ''],
  ['gemini', '{"decision":"deny","reason":"why"}', '{"systemMessage":"so"}'],
])('%s is answered in its own form', (agent, asked, stopped) => {
  const { answer } = hookOf(agent);
  expect(answer({ kind: 'continue', reason: 'why' })).toBe(asked);
  expect(answer({ kind: 'stop', note: 'so' })).toBe(stopped);
  expect(answer({ kind: 'stop', note: null })).toBe('');
});

it('is not had by programs that could not continue', () => {
  expect(stopHookOf('opencode')).toMatch(/would check nothing/);
  expect(stopHookOf('pi')).toMatch(/^ralph knows no hook of pi /);
  for (const agent of ['constructor', 'nosuch']) expect(stopHookOf(agent)).toMatch(/isn't a program/);
});
