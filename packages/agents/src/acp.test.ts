import { describe, expect, it } from 'vitest';
import type { AgentEvent } from './event.ts';
import type { AcpHook } from './hook.ts';
import { ACP_PROGRAMS, type AgentSettings, adapterFor } from './index.ts';
import type { AgentAdapter } from './protocol.ts';

function over(name: string, runner: AgentSettings): AgentAdapter & { readonly hook: AcpHook } {
  const choice = adapterFor(name, { [name]: { ...runner, protocol: 'acp' } });
  if (!choice.ok || choice.adapter.hook?.transport !== 'ACP') throw new Error('no ACP');
  return choice.adapter as AgentAdapter & { readonly hook: AcpHook };
}

const update = (fields: object) => ({ method: 'session/update', params: { sessionId: 's', update: fields } });
const call = (fields: object) => update({ sessionUpdate: 'tool_call_update', toolCallId: 'c-1', ...fields });
const ask = (fields: object) => ({
  id: 7,
  method: 'session/request_permission',
  params: { sessionId: 's', options: [], toolCall: { toolCallId: 'c-1', ...fields } },
});

function read(messages: readonly object[], name = 'gemini'): readonly AgentEvent[] {
  const parse = over(name, name === 'mine' ? { argv: ['x'] } : {}).open?.();
  return messages.flatMap((message) => parse?.(JSON.stringify({ jsonrpc: '2.0', ...message })) ?? []);
}

const REFUSED =
  'Ran into this error: Rate limit exceeded: slow down.\n\nPlease retry if you think this is a transient or recoverable error.';
const says = (text: string) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

describe('what goose says of its service as a message of its own', () => {
  it("isn't a word of its model", () => {
    expect(read([says(REFUSED)], 'goose')).toMatchObject([
      { kind: 'limit' },
      { kind: 'error', cause: 'throttled', fatal: true },
    ]);
  });

  it.each([
    ['behind other words', [says('I try. '), says(REFUSED)], 'goose'],
    ['with other words', [says(`I saw: ${REFUSED}`)], 'goose'],
    ['of another program', [says(REFUSED)], 'gemini'],
  ] as const)('%s it is', (_, messages, name) => {
    expect(read(messages, name).every(({ kind }) => kind === 'text')).toBe(true);
  });
});

describe('messages of the Agent Client Protocol', () => {
  it.each<[string, readonly object[], unknown]>([
    [
      'a command that only its title says',
      [ask({ kind: 'execute', title: 'rm -rf src', status: 'pending' })],
      [
        {
          kind: 'hook',
          message: {
            kind: 'action',
            request: '7',
            action: { kind: 'system_command', command: 'rm -rf src' },
          },
        },
      ],
    ],
    [
      'a file that only its diff names',
      [ask({ kind: 'edit', content: [{ type: 'diff', path: '/r/a.ts', newText: 'new' }] })],
      [
        {
          message: {
            action: { kind: 'file_modify', paths: [{ path: '/r/a.ts', change: 'write' }], content: ['new'] },
          },
        },
      ],
    ],
    [
      'an edit of nothing',
      [ask({ kind: 'edit', title: 'Edit' })],
      [{ message: { kind: 'unknown', request: '7' } }],
    ],
    ['a command without one', [ask({ kind: 'execute' })], [{ message: { kind: 'unknown', request: '7' } }]],
    [
      'a question about one side of a call that is known',
      [
        call({ kind: 'execute', rawInput: { command: 'ls /' } }),
        ask({ kind: 'other', rawInput: { command: 'ls /' } }),
      ],
      [{ message: { kind: 'action', action: { kind: 'system_command', command: 'ls /' } } }],
    ],
    [
      'parameters that come later',
      [
        call({ kind: 'execute', status: 'pending', rawInput: {} }),
        call({ status: 'in_progress', rawInput: { command: 'ls' } }),
        call({ status: 'in_progress' }),
        call({ status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'a' } }] }),
      ],
      [
        { kind: 'tool_call', action: { command: 'ls', id: 'c-1' } },
        { kind: 'tool_result', id: 'c-1', ok: true, output: 'a' },
      ],
    ],
    [
      'a tool of another server',
      [call({ kind: 'other', title: 'delete_file', rawInput: { path: '/r/a' }, status: 'completed' })],
      [{ action: { kind: 'unknown', paths: [{ path: '/r/a', change: 'delete' }] } }, { ok: true }],
    ],
    [
      'a request to the network',
      [call({ kind: 'fetch', rawInput: { url: 'https://a.example' }, status: 'completed' })],
      [{ action: { kind: 'network_request', network: 'https://a.example' } }, { ok: true }],
    ],
    [
      'words, and more words after a call',
      [
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } }),
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'b' } }),
        call({ kind: 'read', status: 'in_progress' }),
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'c' } }),
        update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hidden' } }),
      ],
      [
        { text: 'a', delta: false },
        { text: 'b', delta: true },
        { kind: 'tool_call' },
        { text: 'c', delta: false },
      ],
    ],
    [
      'cost by turns',
      [
        update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } }),
        { id: 3, result: { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 1 } } },
        update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.75, currency: 'USD' } }),
        { id: 4, result: { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 1 } } },
      ],
      [{ usage: [{ costUsd: 0.5 }] }, { ok: true }, { usage: [{ costUsd: 0.25 }] }, { ok: true }],
    ],
    [
      'a turn that was cut off',
      [{ id: 3, result: { stopReason: 'max_tokens' } }],
      [
        { kind: 'error', fatal: true },
        { kind: 'result', ok: false },
      ],
    ],
    [
      'a session',
      [{ id: 2, result: { sessionId: 's-1', models: { currentModelId: 'm' } } }],
      [{ id: 's-1' }, { model: 'm' }],
    ],
    [
      'no sign-in',
      [{ id: 2, error: { code: -32000, message: 'Authentication required' } }],
      [{ kind: 'error', cause: 'auth' }, { ok: false }],
    ],
    [
      'nothing that it knows',
      [{ id: 0, method: 'craft/more' }, update({ sessionUpdate: 'new_thing' }), {}],
      [],
    ],
  ])('%s', (_, messages, events) => {
    expect(read(messages)).toMatchObject(events as object[]);
    expect(read(messages)).toHaveLength((events as object[]).length);
  });

  it('what failed before it began was turned down by a program that asks first, and else counts as done', () => {
    const failing = [
      call({ kind: 'edit', rawInput: { path: 'a' }, status: 'pending' }),
      call({ status: 'failed' }),
    ];
    expect(read(failing, 'qwen').at(-1)).toMatchObject({ ok: false, refused: true });
    expect(read(failing, 'mine').at(-1)).not.toHaveProperty('refused');
    const asked = [ask({ kind: 'edit', rawInput: { path: 'a' } }), call({ status: 'failed' })];
    expect(read(asked, 'qwen').at(-1)).not.toHaveProperty('refused');
  });
});

const ALWAYS = { optionId: 'a', kind: 'allow_always' };
const ONCE = { optionId: 'o', kind: 'allow_once' };
const NEVER = { optionId: 'n', kind: 'reject_always' };
const NO = { optionId: 'r', kind: 'reject_once' };
const DENY = { decision: 'deny', rule: 'r', reason: 'no' } as const;

it.each([
  [{ decision: 'allow' } as const, [ALWAYS, ONCE, NO], { outcome: 'selected', optionId: 'o' }],
  [{ decision: 'allow' } as const, [ALWAYS, NO], { outcome: 'cancelled' }],
  [{ decision: 'warn', rule: 'r', reason: 'w' } as const, [ONCE, NO], { outcome: 'selected', optionId: 'o' }],
  [DENY, [ONCE, NEVER, NO], { outcome: 'selected', optionId: 'r' }],
  [DENY, [ONCE, NEVER], { outcome: 'cancelled' }],
])('the answer to %j of %j', (ruling, options, outcome) => {
  expect(over('gemini', {}).hook.outcome(ruling, options)).toEqual(outcome);
});

describe('who asks before each action', () => {
  it.each([...ACP_PROGRAMS])('%s leaves out nothing only if it asks for each', (name, program) => {
    const { hook } = over(name, {});
    const all = [program.edits, program.commands, program.network].every((asks) => asks === 'each');
    expect(hook).toMatchObject({ measured: true, unasked: all ? undefined : expect.anything() });
  });

  it("a command of your own wasn't measured, whatever its name", () => {
    const { hook } = over('opencode', { argv: ['opencode', 'acp'] });
    expect(hook).toMatchObject({
      measured: false,
      unasked: { what: expect.stringMatching(/never measured/) },
    });
  });

  it('a built-in agent that does not speak it needs a command', () => {
    const choice = adapterFor('claude', { claude: { protocol: 'acp' } });
    expect(choice).toMatchObject({ ok: false, message: expect.stringContaining("doesn't speak") });
  });
});

/** As goose 1.52.0 reports a turn of three requests, and gemini. */
describe('tokens of a turn', () => {
  const held = (used: number) => update({ sessionUpdate: 'usage_update', used, size: 128_000 });
  const ends = (inputTokens: number, outputTokens: number) => ({
    id: 2,
    result: { stopReason: 'end_turn', usage: { inputTokens, outputTokens, totalTokens: 0 } },
  });
  const opened = { id: 1, result: { sessionId: 's' } };

  it.each<[string, readonly object[], readonly (readonly [input: number, output: number])[]]>([
    [
      'of the last request alone: those of the others are added',
      [opened, held(0), held(1011), held(2022), held(3033), held(3033), ends(3000, 33)],
      [[6033, 33]],
    ],
    ['of all requests', [opened, held(1011), held(2022), ends(3000, 33)], [[3000, 33]]],
    ['without what each of them holds', [opened, ends(3000, 33)], [[3000, 33]]],
    ['of a session that is continued', [held(9000), opened, held(9500), ends(9400, 100)], [[9400, 100]]],
    [
      'of a second turn',
      [opened, held(1011), ends(1000, 11), held(2022), held(3033), ends(3000, 33)],
      [
        [1000, 11],
        [5022, 33],
      ],
    ],
  ])('%s', (_what, messages, expected) => {
    const used = read(messages).flatMap((event) => (event.kind === 'usage' ? event.usage : []));
    expect(used.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual(expected);
  });
});
