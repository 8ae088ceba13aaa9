import { describe, expect, it } from 'vitest';
import { actionOf } from '../../../test/helpers/action.ts';
import { EXIT_0, EXIT_1, IDLE, report } from '../../../test/helpers/agent-recordings.ts';
import type { AgentEvent, ModelUsage, ProcessEnd } from './event.ts';
import {
  addToReport,
  customAdapter,
  endlessError,
  finishReport,
  startReport,
  usageOfSession,
  usageSoFar,
} from './index.ts';

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
  usage: [{ model: null, inputTokens, outputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, costUsd }],
});

const BLOCK = 'RALPH_STATUS\nSTATUS: DONE\nEND_RALPH_STATUS';
const OTHER = 'RALPH_STATUS\nSTATUS: BLOCKED\nEND_RALPH_STATUS';

const NOTHING: ModelUsage = {
  ...{ model: null, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, costUsd: null },
};

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
    ['has the status block before it', [text(BLOCK), text('Anything else?')], `${BLOCK}\n\nAnything else?`],
    ['has it, by two', [text(BLOCK), text('One'), text('Two')], `${BLOCK}\n\nTwo`],
    ['has it, after a look', [text(BLOCK), call('Read'), text('Well.')], `${BLOCK}\n\nWell.`],
    [
      'has it before the text of the result',
      [text(BLOCK), { kind: 'result', ok: true, text: 'z' }],
      `${BLOCK}\n\nz`,
    ],
    ['has it once', [text(BLOCK), { kind: 'result', ok: true, text: BLOCK }], BLOCK],
    ['has the newest of two', [text(BLOCK), text(OTHER)], OTHER],
    ['has none that a write came after', [text(BLOCK), call('Edit'), text('More.')], 'More.'],
    ['has none that a command came after', [text(BLOCK), call('Bash'), text('More.')], 'More.'],
    [
      'has none that a write came after, with messages between',
      [text(BLOCK), text('Wait.'), call('Edit'), text('More.')],
      'More.',
    ],
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

  it("isn't an error while it is part of the work", () => {
    expect(report([compacted, ok], EXIT_0)).toMatchObject({ ok: true, errors: [], infrastructure: null });
  });

  it('is an outage where the service is the cause', () => {
    const empty = { ...warning('outage', 'empty'), endless: 1 } as AgentEvent;
    const end: ProcessEnd = { kind: 'halted', why: 'endless' };
    expect(report(times(4, [step, empty]), end).infrastructure).toMatchObject({ kind: 'outage' });
  });
});

describe('usage and calls', () => {
  it('sums what is to be added and replaces by totals', () => {
    expect(report([usage('add', 1, null), usage('add', 2, 0.5)], EXIT_0).usage).toMatchObject([
      { inputTokens: 3, outputTokens: 2, costUsd: 0.5 },
    ]);
    expect(report([usage('total', 5, 1), usage('total', 9, 2)], EXIT_0).usage).toMatchObject([
      { inputTokens: 9 },
    ]);
    expect(report([], EXIT_0).usage).toEqual([]);
  });

  it('counts each message once, as it was last, until a report holds them', () => {
    const message = (id: string, tokens: number): AgentEvent => ({
      ...{ kind: 'usage', scope: 'message', id },
      usage: [{ ...NOTHING, model: 'm', inputTokens: tokens }],
    });
    const live = [message('1', 5), message('1', 7), message('2', 100)];
    expect(report(live, IDLE).usage).toMatchObject([{ model: 'm', inputTokens: 107 }]);
    expect(report([...live, usage('add', 300, 1)], EXIT_0).usage).toMatchObject([{ inputTokens: 300 }]);
    const none: AgentEvent = { kind: 'usage', scope: 'total', usage: [NOTHING] };
    expect(report([...live, none], EXIT_0).usage).toMatchObject([{ inputTokens: 107 }]);
    const second = [...live, usage('add', 300, 1), message('3', 4)];
    expect(report(second, IDLE).usage.map(({ inputTokens }) => inputTokens)).toEqual([300, 4]);
    const many = Array.from({ length: 1000 }, (_, index) => message(`${index}`, 1));
    const soFar = many.reduce(addToReport, startReport());
    expect(soFar.messages.size).toBeLessThan(200);
    expect(usageSoFar(soFar)).toMatchObject([{ inputTokens: 1000 }]);
  });

  it('is the larger of what it reports and what its messages counted, and never below zero', () => {
    const message = (id: string, tokens: number): AgentEvent => ({
      ...{ kind: 'usage', scope: 'message', id },
      usage: [{ ...NOTHING, model: 'm', inputTokens: tokens }],
    });
    const of = (...events: AgentEvent[]) =>
      report(events, EXIT_0).usage.map(({ inputTokens, outputTokens, costUsd }) => [
        inputTokens + outputTokens,
        costUsd,
      ]);
    const named: AgentEvent = { kind: 'model', model: 'm' };
    expect(of(named, message('1', 107), usage('total', 1, 0.5))).toEqual([[107, 0.5]]);
    expect(of(named, message('1', 107), usage('add', 1, 0.5), message('2', 9))).toEqual([[116, 0.5]]);
    expect(of(usage('total', 9, 1), usage('total', 5, 2))).toMatchObject([
      [of(usage('total', 9, 1))[0]?.[0], 2],
    ]);
    expect(of(usage('add', 9, 1), usage('add', -5, -1))).toEqual(of(usage('add', 9, 1), usage('add', 0, 0)));
    expect(of(message('1', -7), usage('add', 3, null))).toEqual(of(usage('add', 3, null)));
  });

  it('names the model that the agent reports, else the one that it was asked for', () => {
    const asked = { sessionId: 's', requestedModel: 'asked', earlierUsage: [] };
    const reportOf = (events: AgentEvent[]) =>
      finishReport(events.reduce(addToReport, startReport(asked)), EXIT_0);
    const model = (name: string): AgentEvent => ({ kind: 'model', model: name });
    expect(reportOf([usage('add', 1, null)])).toMatchObject({ model: 'asked', usage: [{ model: 'asked' }] });
    expect(reportOf([usage('add', 1, null), model('a'), model('b')])).toMatchObject({
      ...{ model: 'a', sessionId: 's', usage: [{ model: 'a' }] },
    });
  });

  it('leaves out what a resumed session had used before', () => {
    const of = (model: string | null, inputTokens: number) => ({ ...NOTHING, model, inputTokens });
    const shareOf = (earlierUsage: ModelUsage[], all: ModelUsage[]) => {
      const start = startReport({ sessionId: null, requestedModel: null, earlierUsage });
      const soFar = addToReport(start, { kind: 'usage', scope: 'total', usage: all });
      return usageSoFar(soFar).map(({ model, inputTokens }) => [model, inputTokens]);
    };
    expect(shareOf([], [of('a', 5)])).toEqual([['a', 5]]);
    expect(shareOf([of('a', 100)], [of('a', 150)])).toEqual([['a', 50]]);
    expect(shareOf([of('a', 100)], [of('a', 100), of('b', 3)])).toEqual([['b', 3]]);
    // One sum for the whole session, in which another model works now.
    expect(shareOf([of('a', 100)], [of('b', 150)])).toEqual([['b', 50]]);
    // A usage below the one before means that the agent began a new session after all.
    expect(shareOf([of('a', 100)], [of('a', 20)])).toEqual([['a', 20]]);
  });

  it('knows the usage of the session also of an attempt that was ended', () => {
    const earlierUsage = [{ ...NOTHING, model: 'a', inputTokens: 100 }];
    const start = startReport({ sessionId: null, requestedModel: 'a', earlierUsage });
    expect(usageOfSession(start)).toEqual(earlierUsage);
    const live = addToReport(start, {
      ...{ kind: 'usage', scope: 'message', id: '1' },
      usage: [{ ...NOTHING, inputTokens: 5 }],
    });
    expect(usageSoFar(live)).toMatchObject([{ inputTokens: 5 }]);
    expect(usageOfSession(live)).toMatchObject([{ inputTokens: 105 }]);
  });

  it('distinguishes calls that write by name from others', () => {
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
  const killed: ProcessEnd = { kind: 'timed_out' };
  const limit = (resetsAt: string | null, inWords: boolean): AgentEvent => ({
    kind: 'limit',
    message: 'limit',
    resetsAt,
    inWords,
  });
  const reset = limit('2030-01-01T00:00:00.000Z', false);

  it.each<[string, AgentEvent[], ProcessEnd, string | null]>([
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

describe('the end of a limit', () => {
  const [early, late] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z'];
  const at = (resetsAt: string | null, inWords: boolean): AgentEvent => ({
    kind: 'limit',
    message: 'limit',
    resetsAt,
    inWords,
  });

  it.each<[string, AgentEvent[], string | null]>([
    ['a field, whatever words come after it', [at(early, false), at(late, true)], early],
    ['a field that comes after words', [at(late, true), at(early, false)], early],
    ['the newest of two fields', [at(early, false), at(late, false)], late],
    ['the newest of two in words', [at(early, true), at(late, true)], late],
    ['what was known where the next one has none', [at(early, true), at(null, false)], early],
    ['not known where none has one', [at(null, true)], null],
  ])('is %s', (_, events, expected) => {
    expect(report(events, EXIT_1).infrastructure?.resetsAt).toBe(expected);
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
