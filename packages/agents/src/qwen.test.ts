import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { EXIT_0, EXIT_1, eventsOf, IDLE, report } from '../../../test/helpers/agent-recordings.ts';
import type { HookPlace, SocketHook } from './hook.ts';
import { ADAPTERS } from './index.ts';
import type { AgentPlan } from './protocol.ts';

const { qwen } = ADAPTERS;

const place: HookPlace = {
  folder: '/state/gate',
  client: "perl -e 'ask'",
  socket: '/state/gate/socket',
  token: 'word',
  patienceSeconds: 900,
};
const hook = qwen.hook as SocketHook;
const deny: Ruling = { decision: 'deny', rule: 'r', reason: 'use "git restore" instead' };
const allow: Ruling = { decision: 'allow' };

function planWith(change: Partial<HookPlace>): AgentPlan {
  return qwen.plan({
    prompt: 'do it',
    promptFile: '/repo/p.md',
    cwd: '/repo',
    model: null,
    extraArgs: [],
    env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: '/elsewhere', RALPH_RUN: 'r-1' },
    resume: null,
    session: '00000000-0000-8000-8000-000000000001',
    title: 'Write the parser',
    boxed: false,
    reportFile: '/state/report.json',
    hook: { ...place, ...change },
  });
}

const parse = (line: unknown) => qwen.parse(JSON.stringify(line));

describe('the stream of qwen', () => {
  it('is counted by its messages until the result says the whole', () => {
    const events = eventsOf(qwen, 'b-no-files');
    expect(report(events.slice(0, -2), IDLE).usage).toMatchObject([{ inputTokens: 1200, outputTokens: 34 }]);
    // A request of the program itself is in the sum of the session.
    expect(report(events, EXIT_0).usage).toMatchObject([{ inputTokens: 2400, outputTokens: 68 }]);
  });

  it('ends without a result at a turn limit: the exit code says so', () => {
    expect(report(eventsOf(qwen, 'f-max-turns'), EXIT_1)).toMatchObject({
      finalMessage: 'Again.',
      toolCalls: 2,
      infrastructure: null,
    });
  });

  it('reports a retry as a rate limit only when it is counted', () => {
    const retry = (data: unknown) => parse({ type: 'system', subtype: 'retry', data });
    expect(retry({ attempt: 1, maxRetries: 10, delayMs: 60_000 })).toMatchObject([
      {
        kind: 'error',
        cause: 'rate_limited',
        fatal: false,
        message: expect.stringMatching(/60 s \(1 of 10\)/),
      },
    ]);
    expect(retry({ reason: 'retry', preserveText: true })).toEqual([]);
  });

  it('finds no cause outside of the work in a failure of its own', () => {
    const line = { type: 'result', is_error: true, error: { message: 'quota of 429 tests failed' } };
    expect(report(parse(line), EXIT_1)).toMatchObject({ ok: false, infrastructure: null });
  });

  it('shows the call that a bridge carries', () => {
    const block = { type: 'tool_use', id: 'c1', name: 'tool_call' };
    const call = (input: unknown) =>
      parse({ type: 'assistant', message: { content: [{ ...block, input }] } })[0];
    expect(call({ name: 'monitor', arguments: { command: 'ls' } })).toEqual({
      kind: 'tool_call',
      action: expect.objectContaining({ id: 'c1', tool: 'monitor', input: { command: 'ls' } }),
    });
    expect(call({ arguments: 1 })).toMatchObject({ action: { tool: 'tool_call' } });
  });

  it('does not take the words of a subagent for its own', () => {
    const line = {
      type: 'assistant',
      parent_tool_use_id: 't',
      message: { content: [{ type: 'text', text: 'x' }] },
    };
    expect(parse(line)).toEqual([]);
  });
});

describe('the hook of qwen', () => {
  it('is a file of settings that wins over others', () => {
    const { env, files } = planWith({});
    expect(env).toMatchObject({
      QWEN_CODE_SYSTEM_SETTINGS_PATH: '/state/gate/settings.json',
      RALPH_RUN: 'r-1',
    });
    expect(files).toHaveLength(1);
    const settings = JSON.parse(files?.[0]?.content ?? '');
    expect(settings.disableAllHooks).toBe(false);
    const [before] = settings.hooks.PreToolUse;
    expect(before).toMatchObject({ matcher: '*', hooks: [{ type: 'command', timeout: 900_000 }] });
    expect(before.hooks[0].command).toBe("perl -e 'ask'");
    expect(settings.hooks.SessionStart[0].hooks).toEqual(before.hooks);
  });

  it.each([
    [0.2, 1000],
    [2_592_000, 2_147_483_647],
  ])('never waits %d s for a time that qwen takes for another: %d ms', (patienceSeconds, timeout) => {
    const settings = JSON.parse(planWith({ patienceSeconds }).files?.[0]?.content ?? '');
    expect(settings.hooks.PreToolUse[0].hooks[0].timeout).toBe(timeout);
  });

  const call = {
    hook_event_name: 'PreToolUse',
    tool_name: 'run_shell_command',
    tool_input: { command: 'rm x' },
    tool_use_id: 'toolu_1',
    tool_call_id: 'call_1',
    cwd: '/repo',
  };

  it('reads a call by the number that the stream has for it', () => {
    const action = { id: 'call_1', tool: 'run_shell_command', input: { command: 'rm x' }, cwd: '/repo' };
    const message = hook.read(JSON.stringify(call));
    expect(message).toMatchObject({ kind: 'action', request: '', action });
    if (message.kind !== 'action') throw new Error(message.kind);
    expect(hook.key(message.action)).toBe(hook.key({ ...message.action, input: {} }));
    const elsewhere = { ...call, tool_input: { command: 'rm x', directory: '/repo/src' } };
    expect(hook.read(JSON.stringify(elsewhere))).toMatchObject({ action: { cwd: '/repo/src' } });
  });

  it.each([
    ['', 'unknown'],
    ['{', 'unknown'],
    ['[]', 'unknown'],
    [JSON.stringify({ ...call, tool_name: '' }), 'unknown'],
    [JSON.stringify({ ...call, tool_input: 'rm x' }), 'unknown'],
    [JSON.stringify({ ...call, tool_input: ['rm x'] }), 'unknown'],
    [JSON.stringify({ ...call, hook_event_name: 'PostToolUse' }), 'done'],
    [JSON.stringify({ ...call, hook_event_name: 'PreCompact' }), 'unknown'],
    [JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup' }), 'ready'],
  ])('takes %s for %s', (text, kind) => {
    expect(hook.read(text).kind).toBe(kind);
  });

  it('denies so that no other hook can allow it', () => {
    const message = hook.read(JSON.stringify(call));
    const { text, exitCode } = hook.answer(message, deny);
    expect(exitCode).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: deny.reason },
    });
    expect(hook.answer(message, allow)).toEqual({ text: '', exitCode: 0 });
    expect(hook.answer({ kind: 'ready' }, allow)).toEqual({ text: '', exitCode: 0 });
    expect(hook.answer(hook.read(''), allow).exitCode).toBe(2);
  });
});
