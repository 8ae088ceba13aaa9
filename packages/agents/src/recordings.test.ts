import { describe, expect, it } from 'vitest';
import { EXIT_0, EXIT_1, eventsOf, IDLE, report } from '../../../test/helpers/agent-recordings.ts';
import type { ProcessEnd } from './event.ts';
import { ADAPTERS } from './index.ts';
import type { AgentAdapter } from './protocol.ts';

const { claude, codex, copilot, gemini, opencode, pi, qwen } = ADAPTERS;

const ALL = [claude, codex, copilot, gemini, opencode, qwen, pi];
const DONE = 'Done. I created src/hello.txt.\n\nRALPH_STATUS: {"status":"done","files":["src/hello.txt"]}';
const CLAIM =
  'I have implemented everything and all tests pass.\n\nRALPH_STATUS: {"status":"done","files":["src/hello.txt"]}';

const read = (adapter: AgentAdapter, scenario: string, end: ProcessEnd = EXIT_0) =>
  report(eventsOf(adapter, scenario), end);

describe.each(ALL)('recordings of $name, exactly', (adapter) => {
  it('writes a file', () => {
    const seen = read(adapter, 'a-writes-file');
    expect(seen).toMatchObject({ finalMessage: DONE, toolCalls: 2, writeCalls: 1, ok: true });
    expect(seen).toMatchObject({ infrastructure: null, errors: [] });
    // Copilot reports no tokens on its standard output.
    const tokens = { inputTokens: 3600, outputTokens: 102, cachedTokens: 0 };
    expect(seen.usage).toMatchObject(adapter === copilot ? [] : [tokens]);
  });

  it('claims without writing', () => {
    expect(read(adapter, 'b-no-files')).toMatchObject({ finalMessage: CLAIM, toolCalls: 0, ok: true });
  });

  it.each([
    ['f-401', 'auth'],
    ['f-429', 'rate_limited'],
    ['f-500', 'outage'],
  ])('%s is %s', (scenario, kind) => {
    const seen = read(adapter, scenario, EXIT_1);
    // Qwen was still waiting to try again when it was ended.
    const ok = adapter === qwen && scenario === 'f-429';
    expect(seen).toMatchObject({ ok, finalMessage: '', toolCalls: 0 });
    // Codex leaves out what the service said, and with it whether that was a limit of the account.
    const isShort = adapter === codex && scenario === 'f-429';
    expect(seen.infrastructure?.kind).toBe(isShort ? 'throttled' : kind);
    expect(seen.errors).toContain(seen.infrastructure?.message);
  });
});

describe('limits', () => {
  it.each([
    [claude, 'f-usage-limit-subscription', '2030-03-17T17:46:40.000Z'],
    [claude, 'f-usage-limit-api-key', null],
    [claude, 'f-429', '2026-11-20T23:58:52.210Z'],
    [claude, 'f-429-mid-run-retry-after-2h', '2026-11-21T02:26:20.945Z'],
    // The message says "5:46 PM"; the reset is at the end of that minute. The tests run in UTC.
    [codex, 'f-usage-limit', '2030-03-17T17:47:00.000Z'],
    [copilot, 'f-429', '2026-11-20T23:50:13.864Z'],
    [copilot, 'f-429-mid-run-retry-after-2h', '2026-11-21T02:27:10.738Z'],
    [gemini, 'f-429', '2026-11-20T23:53:09.764Z'],
    [opencode, 'f-429', '2026-11-20T23:49:33.696Z'],
    [pi, 'f-429', '2026-11-20T23:50:39.564Z'],
    [pi, 'f-429-mid-run-retry-after-2h', '2026-11-21T02:28:15.396Z'],
  ])('$name $1 resets at $2', (adapter, scenario, resetsAt) => {
    const seen = read(adapter, scenario, EXIT_1);
    expect(seen.infrastructure).toMatchObject({ kind: 'rate_limited', resetsAt });
    expect(seen.ok).toBe(false);
  });

  it.each([
    [codex, 'f-429-mid-run-retry-after-2h', 'throttled'],
    [codex, 'f-connection-refused', 'outage'],
    [claude, 'f-connection-refused', 'outage'],
    [qwen, 'f-429', 'rate_limited'],
  ])(
    '$name $1: an agent that was still retrying when it was ended is not to blame',
    (adapter, scenario, kind) => {
      expect(read(adapter, scenario, IDLE).infrastructure?.kind).toBe(kind);
      expect(read(adapter, scenario, EXIT_0).infrastructure).toBeNull();
    },
  );

  it('a turn limit of the agent is its own failure', () => {
    for (const adapter of [claude, gemini]) {
      const seen = read(adapter, 'f-max-turns', EXIT_1);
      expect(seen).toMatchObject({ ok: false, infrastructure: null, finalMessage: 'Again.' });
      expect(seen.errors[0]).toMatch(/^Reached max/);
    }
  });

  it.each([
    [copilot, EXIT_1],
    [qwen, EXIT_1],
    // pi's exit code is 0 whatever happened.
    [pi, EXIT_0],
  ])('$name that cannot connect is an outage', (adapter, end) => {
    const seen = read(adapter, 'f-connection-refused', end);
    expect(seen).toMatchObject({ ok: false, infrastructure: { kind: 'outage' } });
  });
});

describe('claude alone', () => {
  it('reports an interrupt as a failure although it exits 0', () => {
    expect(read(claude, 'd-long-run-SIGINT', EXIT_0).ok).toBe(false);
  });

  it('counts two results in one process once each, and a resumed run by what it adds', () => {
    const twice = read(claude, 'e-second-after-result');
    expect(twice.finalMessage).toMatch(/^Second answer\./);
    expect(twice.usage).toMatchObject([{ inputTokens: 2400, costUsd: 0.00822 }]);
    expect(read(claude, 'g-resume-2').usage).toMatchObject([{ inputTokens: 1200, costUsd: 0.00411 }]);
  });

  it('takes the totals where a release does not tell what a result adds', () => {
    const line = {
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 2,
        output_tokens: 7,
      },
      total_cost_usd: 0.5,
      type: 'result',
    };
    expect(report(claude.parse(JSON.stringify(line)), EXIT_0).usage).toEqual([
      {
        ...{ model: null, inputTokens: 10, outputTokens: 7, cachedTokens: 3, cacheWriteTokens: 2 },
        costUsd: 0.5,
      },
    ]);
  });

  it('does not take the words of a subagent for its own', () => {
    const line = (parent: string | null, text: string) =>
      JSON.stringify({
        type: 'assistant',
        parent_tool_use_id: parent,
        message: { content: [{ type: 'text', text }] },
      });
    const events = [line(null, 'mine'), line('toolu_1', 'EXIT_SIGNAL: true')].flatMap(claude.parse);
    expect(report(events, EXIT_0).finalMessage).toBe('mine');
  });

  it('takes a limit that still allows the work for none', () => {
    const line = {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'allowed_warning', resetsAt: 1900000000 },
    };
    expect(claude.parse(JSON.stringify(line))).toEqual([]);
  });

  it('finds no cause outside of the work in the words of an interrupted run', () => {
    const line = {
      type: 'result',
      is_error: true,
      subtype: 'error_during_execution',
      errors: ['usage limit test'],
    };
    expect(report(claude.parse(JSON.stringify(line)), EXIT_1).infrastructure).toBeNull();
  });
});
