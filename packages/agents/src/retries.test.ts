import { describe, expect, it } from 'vitest';
import type { AgentErrorCause, AgentEvent, Retry } from './event.ts';
import { ADAPTERS, openOutOfBand } from './index.ts';
import type { AgentName } from './known.ts';

type Row = readonly [agent: AgentName, line: string, cause: AgentErrorCause, retry: Retry];

/** Lines about retries, in the form in which the programs of test/agents print them. */
const LINES: readonly Row[] = [
  [
    'claude',
    '{"type":"system","subtype":"api_retry","attempt":4,"max_retries":10,"retry_delay_ms":4660,"error_status":503,"error":"server_error","session_id":"s"}',
    'outage',
    { status: 503, attempt: 4, of: 10, inMs: 4660 },
  ],
  [
    'claude',
    '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":581,"error_status":429,"error":"rate_limit","session_id":"s"}',
    'rate_limited',
    { status: 429, attempt: 1, of: 10, inMs: 581 },
  ],
  [
    'codex',
    '{"type":"error","message":"Reconnecting... 2/5 (unexpected status 503 Service Unavailable: The service is overloaded, url: http://127.0.0.1/v1/responses)"}',
    'outage',
    { status: 503, attempt: 2, of: 5, inMs: null },
  ],
  [
    'copilot',
    '{"type":"model.call_failure","data":{"model":"m","statusCode":503,"durationMs":119,"apiEndpoint":"/chat/completions","transport":"http"},"timestamp":"2026-11-29T22:19:28.108Z"}',
    'outage',
    { status: 503, attempt: null, of: null, inMs: null },
  ],
  [
    'pi',
    '{"type":"auto_retry_start","attempt":2,"maxAttempts":3,"delayMs":4000,"errorMessage":"503: {\\"message\\":\\"The service is overloaded\\",\\"type\\":\\"api_error\\"}"}',
    'outage',
    { status: 503, attempt: 2, of: 3, inMs: 4000 },
  ],
  [
    'qwen',
    '{"type":"system","subtype":"retry","data":{"attempt":2,"maxRetries":10,"delayMs":60000}}',
    'rate_limited',
    { status: null, attempt: 2, of: 10, inMs: 60_000 },
  ],
];

const isRetry = (event: AgentEvent) => event.kind === 'error' && event.retry !== undefined;

describe('how programs say that they send a request again', () => {
  it.each(LINES)('%s in its stream: %s', (agent, line, cause, retry) => {
    const events = ADAPTERS[agent].parse(line);
    expect(events.filter(isRetry)).toMatchObject([{ cause, fatal: false, retry }]);
  });

  it("codex: the last words before the end aren't a retry", () => {
    const line = '{"type":"error","message":"unexpected status 503 Service Unavailable: overloaded"}';
    expect(ADAPTERS.codex.parse(line).filter(isRetry)).toEqual([]);
  });

  it('gemini on standard error', () => {
    const { errorLine, log } = openOutOfBand(ADAPTERS.gemini);
    const line =
      'Attempt 4 failed with status 503. Retrying with backoff... _ApiError: {"error":{"code":503}}';
    expect(errorLine?.(line)).toMatchObject([
      { cause: 'outage', fatal: false, retry: { status: 503, attempt: 4, of: null, inMs: null } },
    ]);
    expect(errorLine?.('    at process.processTicksAndRejections (node:internal:95:5)')).toEqual([]);
    expect(log).toBeNull();
  });

  it.each([
    ['Service Unavailable: The service is overloaded', 4000, 'outage'],
    ['Rate limit reached. Please try again in 4s.', 4000, 'throttled'],
    ['Rate limit reached.', 3_600_000, 'rate_limited'],
    ['You have hit your usage limit.', 4000, 'rate_limited'],
  ])('opencode by its plug-in: %s (%d ms)', (text, inMs, cause) => {
    const { hook } = ADAPTERS.opencode;
    const said = JSON.stringify({ kind: 'waits', text, now: 1000, until: 1000 + inMs, attempt: 2 });
    const message = hook !== null && 'read' in hook ? hook.read(said) : null;
    const events = message?.kind === 'events' ? message.events : [];
    expect(events.filter(isRetry)).toMatchObject([{ cause, fatal: false, retry: { attempt: 2, inMs } }]);
  });

  it('qwen in its log, each try once', () => {
    const { errorLine, log } = openOutOfBand(ADAPTERS.qwen);
    const entry = (second: number, attempt: number) =>
      `2026-11-29T22:00:0${second}.000Z [WARN] [RETRY] Attempt ${attempt} failed with status 503. Retrying with backoff...\n`;
    const since = Date.parse('2026-11-29T22:00:00.000Z');
    const first = entry(1, 1);
    expect(errorLine).toBeNull();
    expect(log?.(first, since, 's')).toMatchObject([{ retry: { status: 503, attempt: 1 } }]);
    expect(log?.(`${first}other\n`, since, 's')).toEqual([]);
    expect(log?.(first + entry(3, 2), since, 's')).toMatchObject([{ retry: { status: 503, attempt: 2 } }]);
    // Other output between two retries means that the agent got somewhere.
    expect(log?.(`${first}${entry(3, 2)}other\n`, since + 5000, 's')).toEqual([]);
  });

  it('droid in its log, which has no numbers', () => {
    const { log } = openOutOfBand(ADAPTERS.droid);
    const entry = (second: number) =>
      `[2026-11-29T22:00:0${second}.000Z] WARN: [LLM] LLM error | Context: {"statusCode":503,"tags":{"sessionId":"s"}}\n`;
    const since = Date.parse('2026-11-29T22:00:00.000Z');
    expect(log?.(entry(1) + entry(2), since, 's')).toMatchObject([
      { cause: 'outage', retry: { status: 503, attempt: 2 } },
    ]);
    expect(log?.(entry(1) + entry(2), since, 'another')).toEqual([]);
  });
});
