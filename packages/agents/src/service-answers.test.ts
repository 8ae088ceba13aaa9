import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProcessEnd, SERVICE_KINDS } from './event.ts';
import {
  ADAPTERS,
  addToReport,
  customAdapter,
  finishReport,
  openOutOfBand,
  outOfBandEvents,
  startReport,
} from './index.ts';
import type { AgentName } from './known.ts';
import type { AgentAdapter } from './protocol.ts';
import { serviceKind } from './service.ts';

/** What a program printed when a model's service answered so; its own retries included. */
type Recorded = {
  readonly program: AgentName;
  readonly version: string;
  readonly case: string;
  readonly kind: string;
  /** Exit code of the agent; `null`: it was ended from outside. */
  readonly exit: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
};

const file = new URL('../../../test/fixtures/service/answers.json', import.meta.url);
const RECORDED = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];

const NOW = Date.parse('2026-11-29T18:00:00Z');
const IDLE: ProcessEnd = { kind: 'timed_out' };
const exited = (code: number): ProcessEnd => ({ kind: 'exited', code });

function causeOf(
  adapter: AgentAdapter,
  end: ProcessEnd,
  { stdout, stderr = [] }: { readonly stdout: readonly string[]; readonly stderr?: readonly string[] },
) {
  const { errorLine } = openOutOfBand(adapter);
  const live = [
    ...stdout.flatMap((line) => adapter.parse(line)),
    ...stderr.flatMap((line) => errorLine?.(line) ?? []),
  ];
  const soFar = live.reduce(addToReport, startReport());
  const aside = { end, errorTail: stderr.join('\n'), log: '', workedAt: NOW - 1 };
  const whole = outOfBandEvents(adapter, soFar, aside).reduce(addToReport, soFar);
  return finishReport(whole, end, NOW).infrastructure;
}

describe('what the programs print', () => {
  it.each(RECORDED)('$program $version: $case is $kind', ({ program, exit, kind, ...printed }) => {
    const end = exit === null ? IDLE : exited(exit);
    const cause = causeOf(ADAPTERS[program], end, printed);
    expect(cause?.kind).toBe(kind);
    // Whether it was ended for silence or exited, the printed words decide the cause.
    expect(causeOf(ADAPTERS[program], IDLE, printed)?.kind).toBe(kind);
  });

  it.each([
    ['gemini', 41, 'auth'],
    ['gemini', 145, 'auth'],
    ['gemini', 148, 'model'],
    ['gemini', 173, 'rate_limited'],
    ['gemini', 244, 'outage'],
    ['gemini', 247, 'outage'],
    // 144: the status of every request that was wrong in some way.
    ['gemini', 144, undefined],
    ['gemini', 1, undefined],
    ['claude', 173, undefined],
  ] as const)('%s: exit code %i alone is %s', (program, code, kind) => {
    expect(causeOf(ADAPTERS[program], exited(code), { stdout: [] })?.kind).toBe(kind);
  });

  const retry = (status: number) => [
    `Attempt 3 failed with status ${status}. Retrying with backoff... _ApiError: {"error":{"code":${status}}}`,
    '    at throwErrorIfNotOK (file://bundle/chunk.js:1:1)',
  ];

  it.each([
    [503, 'outage'],
    [500, 'outage'],
    [429, 'rate_limited'],
  ])("gemini's own retries of %i, on standard error alone, are %s", (status, kind) => {
    expect(causeOf(ADAPTERS.gemini, IDLE, { stdout: [], stderr: retry(status) })?.kind).toBe(kind);
  });

  it("qwen's stream calls an overload a rate limit: its log has the status", () => {
    const stdout = [
      '{"type":"system","subtype":"retry","data":{"attempt":1,"maxRetries":10,"delayMs":60000}}',
    ];
    expect(causeOf(ADAPTERS.qwen, IDLE, { stdout })?.kind).toBe('rate_limited');
    const soFar = stdout.flatMap((line) => ADAPTERS.qwen.parse(line)).reduce(addToReport, startReport());
    const log = `${new Date(NOW).toISOString()} [WARN] [RETRY] Attempt 1 failed with status 503. Retrying with backoff...`;
    const aside = { end: IDLE, errorTail: '', log, workedAt: NOW - 1 };
    const events = outOfBandEvents(ADAPTERS.qwen, soFar, aside);
    expect(finishReport(events.reduce(addToReport, soFar), IDLE, NOW).infrastructure?.kind).toBe('outage');
    // An agent that ended well has got over its failed requests.
    expect(outOfBandEvents(ADAPTERS.qwen, soFar, { ...aside, end: exited(0) })).toEqual([]);
  });

  it.each([
    [
      'qwen',
      '{"type":"result","is_error":true,"error":{"message":"Missing API key for OpenAI-compatible auth."}}',
      'auth',
    ],
    [
      'droid',
      '{"type":"error","source":"cli","message":"Airgap Mode is enabled. Model \\"m\\" cannot be used."}',
      'model',
    ],
  ] as const)('%s, before it begins: %s is %s', (name, line, kind) => {
    expect(causeOf(ADAPTERS[name], exited(1), { stdout: [line] })?.kind).toBe(kind);
  });

  it('droid, a model that it does not have', () => {
    const stderr = ['Invalid model: custom:no-such-model'];
    expect(causeOf(ADAPTERS.droid, exited(1), { stdout: [], stderr })?.kind).toBe('model');
  });

  const says = (...errors: readonly string[]) => ({ stdout: [], stderr: errors });
  const plain = (name: string) => customAdapter(name, { argv: [name, '{prompt}'] });

  // What cn and cline print was seen; the words of the others are those of the providers.
  it.each([
    ['goose', 'error: insufficient_quota: You exceeded your current quota', 'credit'],
    ['cn', 'Error: 401 {"error":{"type":"authentication_error","message":"invalid x-api-key"}}', 'auth'],
    ['cline', 'Error: Your credit balance is too low to access the Anthropic API.', 'credit'],
    ['cn', '{"status":"error","message":"503 The engine is currently overloaded"}', 'outage'],
    ['cn', '{"status":"error","message":"connect ECONNREFUSED 127.0.0.1:1"}', 'outage'],
    ['mine', '{"status":"error","message":"503 The engine is currently overloaded"}', undefined],
    ['cline', "error: You didn't provide an API key.", 'auth'],
    ['cline', 'error: Rate limit reached for m in organization o on tokens per min (TPM)', 'throttled'],
    ['cline', 'error: The server had an error while processing your request. Sorry about that!', 'outage'],
    ['cline', 'error: An internal error has occurred. Please retry or report', 'outage'],
    ['other', 'API Error: 404 {"error":{"code":"model_not_found"}}', 'model'],
    ['other', '{"type":"error","error":{"message":"prompt is too long: 9 tokens > 8"}}', 'context'],
    // Messages of a tool, of the work, or without a sender.
    ['other', 'Error: connect ECONNREFUSED 127.0.0.1:5432', undefined],
    ['other', 'Error: 503 Service Unavailable', undefined],
    ['other', 'I handle an insufficient_quota error now', undefined],
  ])('%s, plain text: "%s" is %s', (name, line, kind) => {
    expect(causeOf(plain(name), exited(1), says(line))?.kind).toBe(kind);
    expect(causeOf(plain(name), exited(0), says(line))).toBeNull();
  });
});

/** How each program prints words of its model, and the end of an attempt that failed of itself. */
const SPEAKS = {
  claude: (text) => [{ type: 'assistant', message: { content: [{ type: 'text', text }] } }],
  qwen: (text) => [{ type: 'assistant', message: { content: [{ type: 'text', text }] } }],
  codex: (text) => [{ type: 'item.completed', item: { id: '1', type: 'agent_message', text } }],
  gemini: (text) => [{ type: 'message', role: 'assistant', content: text, delta: true }],
  opencode: (text) => [{ type: 'text', part: { text } }],
  copilot: (text) => [{ type: 'assistant.message', data: { content: text } }],
  pi: (text) => [{ type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text }] } }],
  droid: (text) => [{ type: 'message', role: 'assistant', text }],
} satisfies Partial<Record<AgentName, (text: string) => readonly object[]>>;

/** What an agent that writes a client of such a service says of its work. */
const HONEST = [
  'The handler answers 503 Service Unavailable, and 429 with retry-after.',
  'API Error: 503 {"type":"error","error":{"type":"overloaded_error"}}',
  'Error: Your credit balance is too low to access the Anthropic API.',
  "You've hit your 5-hour limit · resets 3pm (Europe/Berlin)",
  'Attempt 3 failed with status 503. Retrying with backoff...',
  'insufficient_quota, model_not_found, context_length_exceeded and invalid x-api-key are tested.',
  'Please set an Auth method in your settings.json',
  'Missing environment variable: `OPENAI_API_KEY`.',
  'unexpected status 401 Unauthorized',
  'The model `x` does not exist or you do not have access to it.',
  'This violates our usage policy.',
  'connect ECONNREFUSED 127.0.0.1:1',
];

describe('what an agent says of the code that it writes', () => {
  const words = fc
    .array(fc.constantFrom(...HONEST), { minLength: 1, maxLength: 4 })
    .map((all) => all.join('\n'));
  const end = fc.constantFrom<ProcessEnd>(exited(0), exited(1), IDLE, { kind: 'signalled' });

  it.each(Object.keys(SPEAKS) as (keyof typeof SPEAKS)[])("isn't an answer of its service: %s", (name) => {
    fc.assert(
      fc.property(words, end, words, (text, how, noise) => {
        const stdout = SPEAKS[name](text).map((line) => JSON.stringify(line));
        // Its tools may print anything on standard error; a retry is known by its time.
        const stderr = name === 'gemini' ? [] : noise.split('\n');
        expect(causeOf(ADAPTERS[name], how, { stdout, stderr })).toBeNull();
      }),
    );
  });

  it('nor in plain text, whatever the exit code', () => {
    fc.assert(
      fc.property(words, end, (text, how) => {
        const adapter = customAdapter('mine', { argv: ['mine', '-'] });
        expect(causeOf(adapter, how, { stdout: text.split('\n') })).toBeNull();
      }),
    );
  });
});

describe('the consequences', () => {
  it('are of one kind for each answer, whatever it says', () => {
    const status = fc.option(fc.integer({ min: 300, max: 599 }));
    fc.assert(
      fc.property(status, fc.string(), (code, text) => {
        expect([...SERVICE_KINDS, 'other']).toContain(serviceKind({ status: code, words: text }));
      }),
    );
  });
});
