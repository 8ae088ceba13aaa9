import { describe, expect, it } from 'vitest';
import { actionOf } from '../../../test/helpers/action.ts';
import type { AgentEvent, ProcessEnd } from './event.ts';
import { ADAPTERS, addToReport, outOfBandEvents, startReport } from './index.ts';

const AT = Date.parse('2026-11-22T19:24:07.188Z');

/** Lines of a log in the form in which qwen writes them. */
const LIMIT_LOG = `2026-11-22T19:23:58.059Z [WARN] [RIPGREP] Bundled ripgrep is unusable (Error: spawn rg EACCES)
2026-11-22T19:24:07.175Z [ERROR] [OPENAI_ERROR] OpenAI API Error: 429 You have hit your usage limit. {
  kind: 'http',
}
2026-11-22T19:24:07.188Z [WARN] [RETRY] Attempt 1 failed with status 429. Retrying after explicit delay of 7200000ms... {
  reason: 'rate-limit',
} Error: 429 You have hit your usage limit.
`;
const OUTAGE_LOG = `2026-11-22T19:24:46.664Z [ERROR] [OPENAI_ERROR] OpenAI API Error: 502 <!DOCTYPE html>
2026-11-22T19:24:46.677Z [ERROR] [RETRY] Attempt 5 failed with status 502. Retrying with backoff in 22s... {
`;
const CONNECTION_LOG = `2026-11-22T19:24:46.664Z [ERROR] [OPENAI_ERROR] OpenAI API Error: Connection error. {
2026-11-22T19:24:46.677Z [WARN] [RETRY] Attempt 2 failed. Retrying with backoff in 4s... {
`;

const began = startReport();
const call: AgentEvent = { kind: 'tool_call', action: actionOf('Bash', {}) };
const end: ProcessEnd = { kind: 'exited', code: 1 };
const nothing = { end, errorTail: '', log: '', workedAt: 0 };
const seen = (events: readonly AgentEvent[]) =>
  events.map((event) => {
    if (event.kind === 'limit') return `limit until ${event.resetsAt}`;
    return event.kind === 'error' ? event.cause : event.kind;
  });

describe("qwen's log", () => {
  const read = (log: string, workedAt = 0) =>
    seen(outOfBandEvents(ADAPTERS.qwen, began, { ...nothing, log, workedAt }));

  it.each([
    ['a limit with its end', LIMIT_LOG, ['limit until 2026-11-22T21:24:07.188Z', 'rate_limited']],
    [
      'a limit without',
      LIMIT_LOG.replace('after explicit delay of 7200000ms', 'with backoff in 2s'),
      ['limit until null', 'rate_limited'],
    ],
    ['an outage', OUTAGE_LOG, ['outage']],
    ['a lost connection', CONNECTION_LOG, ['outage']],
    ['the last of them', LIMIT_LOG + OUTAGE_LOG, ['outage']],
    ['nothing', 'RETRY Attempt 1 failed with status 502\nnonsense', []],
  ])('reports %s', (_name, log, expected) => {
    expect(read(log)).toEqual(expected);
  });

  it('reports nothing of what the agent got over', () => {
    expect(read(LIMIT_LOG, AT)).toHaveLength(2);
    expect(read(LIMIT_LOG, AT + 1)).toEqual([]);
  });

  it('adds nothing to what the stream said', () => {
    const report = addToReport(began, { kind: 'error', cause: 'auth', message: 'no', fatal: true });
    expect(outOfBandEvents(ADAPTERS.qwen, report, { ...nothing, log: LIMIT_LOG })).toEqual([]);
  });
});

/** Lines of a log in the form in which droid writes them, into one file for all sessions. */
const droidLog = (session: string, status: number | null, message: string) => {
  const context = {
    attempt: 1,
    ...(status === null ? {} : { statusCode: status }),
    tags: { sessionId: session },
  };
  const cause = {
    cause: { name: 'Error', message, stack: `Error: ${message}` },
    tags: { sessionId: session },
  };
  return [
    `[2026-11-22T19:24:07.188Z] WARN: [LLM] LLM error | Context: ${JSON.stringify(context)}`,
    '[2026-11-22T19:24:07.189Z] WARN: Retry attempt failed',
    `    at generate (core/error.mjs:59:24) | Context: ${JSON.stringify(cause)}`,
    '',
  ].join('\n');
};

describe("droid's log", () => {
  const report = addToReport(began, { kind: 'session', id: 's-1' });
  const read = (log: string, workedAt = 0) =>
    seen(outOfBandEvents(ADAPTERS.droid, report, { ...nothing, log, workedAt }));
  const limit = droidLog('s-1', 429, '429 Rate limit reached. Please try again in 20s.');

  it.each([
    ['a limit', limit, ['limit until 2026-11-22T19:24:27.188Z', 'rate_limited']],
    ['an outage', droidLog('s-1', 500, '500 status code (no body)'), ['outage']],
    [
      'a lost connection',
      droidLog('s-1', null, 'The socket connection was closed unexpectedly.'),
      ['outage'],
    ],
    ['the last of them', limit + droidLog('s-1', 500, '500 x'), ['outage']],
    ['nothing of another session', droidLog('s-2', 429, '429 x'), []],
    ['nothing', '[2026] WARN: [LLM] LLM error | Context: {\nnonsense', []],
  ])('reports %s', (_name, log, expected) => {
    expect(read(log)).toEqual(expected);
  });

  it('reports nothing of what the agent got over', () => {
    expect(read(limit, AT + 1)).toEqual([]);
  });
});

describe('what an agent says instead of beginning', () => {
  it.each([
    [
      'copilot',
      'Package extraction took 5572ms\nError: No authentication information found.\n\nCopilot can be …',
      ['auth'],
    ],
    ['copilot', 'Error: something of its own', ['other']],
    [
      'gemini',
      'YOLO mode is enabled.\nPlease set an Auth method in your settings.json or specify GEMINI_API_KEY',
      ['auth'],
    ],
    ['pi', 'No API key found for the selected model.\n\nUse /login to log into a provider', ['auth']],
    ['pi', 'the tool said: No API key found', []],
    ['claude', 'Error: No authentication information found.', []],
  ] as const)('%s: %s', (name, errorTail, expected) => {
    expect(seen(outOfBandEvents(ADAPTERS[name], began, { ...nothing, errorTail }))).toEqual(expected);
  });

  it('counts for one that never began', () => {
    const errorTail = 'Error: No authentication information found.';
    expect(outOfBandEvents(ADAPTERS.copilot, addToReport(began, call), { ...nothing, errorTail })).toEqual(
      [],
    );
  });
});
