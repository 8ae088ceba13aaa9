import { describe, expect, it } from 'vitest';
import { addToReport, customAdapter, endlessError, startReport } from '../../../src/agent/index.ts';
import type { AgentEnd, AgentEvent } from '../../../src/domain/agent.ts';
import { actionOf } from '../../helpers/action.ts';
import { EXIT_0, EXIT_1, report } from './replay.ts';

const LIMIT = 256 * 1024;
const text = (value: string, delta = false): AgentEvent => ({ kind: 'text', text: value, delta });
const call = (tool: string): AgentEvent => ({ kind: 'tool_call', action: actionOf(tool, {}) });
const fatal = (cause: 'rate_limited' | 'auth' | 'outage' | 'other', message = 'no'): AgentEvent => ({
  kind: 'error',
  cause,
  message,
  fatal: true,
});
const warning = (cause: 'rate_limited' | 'outage', message = 'again'): AgentEvent => ({
  kind: 'error',
  cause,
  message,
  fatal: false,
});
const ok: AgentEvent = { kind: 'result', ok: true, text: null };
const usage = (scope: 'add' | 'total', inputTokens: number, costUsd: number | null): AgentEvent => ({
  kind: 'usage',
  scope,
  usage: { inputTokens, outputTokens: 1, cachedTokens: 0, costUsd },
});

describe('the final message', () => {
  it.each<[string, AgentEvent[], string]>([
    ['is the last one', [text('first'), text('second')], 'second'],
    ['joins deltas', [text('a', true), text('b', true)], 'ab'],
    ['continues after a whole text', [text('a'), text('b', true)], 'ab'],
    ['begins anew after a tool call', [text('a', true), call('Bash'), text('b', true)], 'b'],
    [
      'begins anew after a tool result',
      [text('a', true), { kind: 'tool_result', id: null, ok: true, output: '' }, text('b', true)],
      'b',
    ],
    ['is the text of the result where it has one', [text('a'), { kind: 'result', ok: true, text: 'z' }], 'z'],
    ['stays when the result has none', [text('a'), ok], 'a'],
    ['stays when the result is a failure', [text('a'), { kind: 'result', ok: false, text: 'z' }], 'a'],
    ['is empty when nothing was said', [call('Bash')], ''],
  ])('%s', (_, events, expected) => {
    expect(report(events, EXIT_0).finalMessage).toBe(expected);
  });

  it('of a plain-text agent is all that it printed', () => {
    const agent = customAdapter('mine', { argv: ['mine'] });
    expect(report(['a', '', '{"type":"result"}'].flatMap(agent.parse), EXIT_0).finalMessage).toBe(
      'a\n\n{"type":"result"}\n',
    );
  });

  it('is bounded at the front, in small pieces and in one', () => {
    const pieces = Array.from({ length: 700 }, (_, index) => text(`${index}`.padEnd(1024, '.'), true));
    const long = report([...pieces, text('END', true)], EXIT_0).finalMessage;
    expect(long).toHaveLength(LIMIT);
    expect(long.endsWith('END')).toBe(true);
    expect(report([text(`${'😀'.repeat(LIMIT)}x`)], EXIT_0).finalMessage).toMatch(/^😀+x$/u);
  });
});

describe('what an agent does without end', () => {
  const compacted = { kind: 'error', cause: 'other', message: 'full', fatal: false, endless: 2 } as const;
  const step = usage('add', 1, null);
  const seen = (events: readonly AgentEvent[]) => endlessError(events.reduce(addToReport, startReport()));
  const cycle = (steps: number): AgentEvent[] => [...Array(steps).fill(step), compacted];
  const times = (count: number, events: AgentEvent[]) => Array(count).fill(events).flat();

  it.each<[string, AgentEvent[], string | null]>([
    ['after some in a row', times(4, cycle(2)), 'full'],
    ['whatever it says and calls between', times(4, [text('a'), call('Bash'), ...cycle(2)]), 'full'],
    ['not after fewer', times(3, cycle(2)), null],
    ['not where work lies between', times(20, cycle(3)), null],
    ['not where work lies between the last', [...times(3, cycle(2)), ...cycle(3)], null],
    ['not of something else', [...times(3, cycle(2)), { ...compacted, message: 'else' }], null],
  ])('is seen %s', (_, events, expected) => {
    expect(seen(events)).toBe(expected);
  });

  it('is no error while it is part of the work', () => {
    expect(report([compacted, ok], EXIT_0)).toMatchObject({ ok: true, errors: [], infrastructure: null });
  });

  it('is an outage where the service is the cause', () => {
    const empty = { ...warning('outage', 'empty'), endless: 1 } as AgentEvent;
    const end: AgentEnd = { kind: 'halted', why: 'endless', message: 'empty' };
    expect(report(times(4, [step, empty]), end).infrastructure).toMatchObject({ kind: 'outage' });
  });
});

describe('usage and calls', () => {
  it('sums what is to be added and replaces by totals', () => {
    expect(report([usage('add', 1, null), usage('add', 2, 0.5)], EXIT_0).usage).toMatchObject({
      inputTokens: 3,
      outputTokens: 2,
      costUsd: 0.5,
    });
    expect(report([usage('total', 5, 1), usage('total', 9, 2)], EXIT_0).usage?.inputTokens).toBe(9);
    expect(report([], EXIT_0).usage).toBeNull();
  });

  it('tells calls that write by name from others', () => {
    const tools = [
      'Write',
      'Edit',
      'apply_patch',
      'write_file',
      'replace',
      'create',
      'Bash',
      'Read',
      'shell',
    ];
    expect(report(tools.map(call), EXIT_0)).toMatchObject({ toolCalls: 9, writeCalls: 6 });
  });
});

describe('the cause outside of the work', () => {
  const killed: AgentEnd = { kind: 'timed_out', which: 'idle', afterMs: 1 };
  const reset: AgentEvent = { kind: 'limit', message: 'limit', resetsAt: '2030-01-01T00:00:00.000Z' };

  it.each<[string, AgentEvent[], AgentEnd, string | null]>([
    ['a fatal error', [fatal('auth')], EXIT_1, 'auth'],
    ['a limit', [reset], EXIT_0, 'rate_limited'],
    ['the last of two', [fatal('auth'), fatal('outage')], EXIT_1, 'outage'],
    [
      'nothing after a successful result with words',
      [fatal('outage'), { kind: 'result', ok: true, text: 'done' }],
      EXIT_0,
      null,
    ],
    ['what nothing but a result came after', [fatal('outage'), ok], EXIT_0, 'outage'],
    ['a retry under way that a result without words came after', [warning('outage'), ok], killed, 'outage'],
    ['nothing when the agent worked on', [reset, fatal('rate_limited'), call('Bash')], EXIT_1, null],
    ['nothing for an error of the work', [fatal('other')], EXIT_1, null],
    ['a retry under way at a timeout', [text('a'), warning('outage')], killed, 'outage'],
    ['no retry after exit 0', [warning('outage')], EXIT_0, null],
    ['no retry that was overtaken', [warning('outage'), text('a')], killed, null],
    ['no retry before another fatal error', [warning('outage'), fatal('other')], EXIT_1, null],
  ])('is %s', (_, events, end, kind) => {
    expect(report(events, end).infrastructure?.kind ?? null).toBe(kind);
  });

  it('keeps the reset time that came first when the error repeats without it', () => {
    expect(report([reset, fatal('rate_limited', 'stop')], EXIT_1).infrastructure).toEqual({
      kind: 'rate_limited',
      message: 'stop',
      resetsAt: '2030-01-01T00:00:00.000Z',
    });
  });
});

describe('failure', () => {
  it.each<[string, AgentEvent[], boolean]>([
    ['a fatal error', [fatal('other')], false],
    ['a failed result', [{ kind: 'result', ok: false, text: null }], false],
    ['a warning', [warning('outage')], true],
    ['a success after a failure', [fatal('other'), ok], true],
    ['nothing told', [], true],
  ])('%s', (_, events, expected) => {
    expect(report(events, EXIT_1).ok).toBe(expected);
  });

  it('lists each message once, the newest twenty, bounded', () => {
    const events = Array.from({ length: 100 }, (_, index) =>
      warning('outage', `${index % 50} ${'x'.repeat(9999)}`),
    );
    const { errors } = report(events, EXIT_0);
    expect(errors).toHaveLength(20);
    expect(new Set(errors).size).toBe(20);
    expect(Math.max(...errors.map((error) => error.length))).toBe(500);
  });
});
