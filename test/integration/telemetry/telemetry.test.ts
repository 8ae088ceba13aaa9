import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock, IterationSpan } from '../../../src/domain/ports.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { sha256 } from '../../../src/io/ids.ts';
import { openTelemetry } from '../../../src/io/telemetry/index.ts';
import { metricFamilies } from '../../../src/state/index.ts';
import { type Received, type ReceivedSpan, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let problems: string[];
beforeEach(async () => {
  receiver = await startReceiver();
  problems = [];
});
afterEach(async () => {
  await receiver.close();
  expect(receiver.wrong).toEqual([]);
});

const time = (second: number) => `2026-05-01T10:00:${String(second).padStart(2, '0')}.500Z`;

function spanOf(iteration: number, given: Partial<IterationSpan> = {}): IterationSpan {
  return {
    run: 'r-1',
    iteration,
    from: time(0),
    to: time(9),
    ok: true,
    attributes: {
      'ralph.agent': 'claude',
      attempt: 2,
      share: 0.5,
      limit: Number.POSITIVE_INFINITY,
      done: false,
    },
    phases: [
      { name: 'agent_execution', from: time(0), to: time(5), attributes: { text: 'half \ud83d of a pair' } },
      { name: 'detection', from: time(5), to: time(6), attributes: {} },
      { name: 'evidence_validation', from: time(6), to: time(7), attributes: {} },
      { name: 'gates', from: time(7), to: time(8), attributes: {} },
      // The clock was set back while the intervention ran.
      { name: 'intervention', from: time(8), to: time(3), attributes: {} },
    ],
    ...given,
  };
}

const cell = {
  agent: 'claude',
  issue: 'no_files',
  type: 'soft_correction',
  applied: 4,
  escalated: 1,
} as const;
const STATE: State = {
  ...EMPTY_STATE,
  counters: { iteration: 7, event: 2, incident: 0, recovery: 0, proposal: 0 },
  interventionStats: {
    cells: [{ ...cell, helped: 1, notHelped: 1, noFurtherAttempt: 1 }],
    bySeverity: { low: 4 },
  },
};

function telemetryOf(env: Record<string, string> = {}, clock: Clock = systemClock()) {
  return openTelemetry({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env },
    clock,
    ids: { sha256 },
    version: '1.2.3',
    secrets: ['hunter2hunter2'],
    metricsOf: metricFamilies,
    onProblem: (message) => problems.push(message),
  });
}

/** Returns all spans that arrived, by name. */
function spansIn(received: readonly Received[]): ReceivedSpan[] {
  return received.flatMap(({ traces }) =>
    (traces?.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

describe('what arrives', () => {
  it('is one trace per run, a span per iteration and one for each of its phases', async () => {
    const telemetry = telemetryOf({ OTEL_METRICS_EXPORTER: 'none' });
    telemetry.iteration(spanOf(1), STATE);
    telemetry.iteration(spanOf(2, { ok: false }), STATE);
    telemetry.iteration(spanOf(1, { run: 'r-2' }), STATE);
    await telemetry.flush();
    expect(problems).toEqual([]);
    const spans = spansIn(receiver.received);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(18);
    const iterations = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(iterations.map(({ name, status }) => [name, status])).toEqual([
      ['iteration', { code: 1 }],
      ['iteration', { code: 2 }],
      ['iteration', { code: 1 }],
    ]);
    for (const { traceId, spanId } of iterations) {
      const children = spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);
      expect(children.map(({ name }) => name)).toEqual([
        'agent_execution',
        'detection',
        'evidence_validation',
        'gates',
        'intervention',
      ]);
    }
    expect(iterations[0]).toMatchObject({
      startTimeUnixNano: '1777629600500000000',
      endTimeUnixNano: '1777629609500000000',
      attributes: [
        { key: 'ralph.run', value: { stringValue: 'r-1' } },
        { key: 'ralph.iteration', value: { intValue: '1' } },
        { key: 'ralph.agent', value: { stringValue: 'claude' } },
        { key: 'attempt', value: { intValue: '2' } },
        { key: 'share', value: { doubleValue: 0.5 } },
        { key: 'limit', value: { doubleValue: 'Infinity' } },
        { key: 'done', value: { boolValue: false } },
      ],
    });
  });

  it('is the newest state of the metrics, as sums that grow and as gauges', async () => {
    const telemetry = telemetryOf({ OTEL_TRACES_EXPORTER: 'none' });
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    telemetry.iteration(spanOf(2), {
      ...STATE,
      counters: { iteration: 8, event: 2, incident: 0, recovery: 0, proposal: 0 },
    });
    await telemetry.flush();
    const [first, last] = receiver.received.map(({ metrics }) =>
      metrics?.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
    );
    const point = (all: typeof first, name: string) => {
      const metric = all?.find((each) => each.name === name);
      return metric === undefined ? undefined : ('sum' in metric ? metric.sum : metric.gauge).dataPoints[0];
    };
    const before = point(first, 'ralph_iterations_total');
    const after = point(last, 'ralph_iterations_total');
    expect([before?.asDouble, after?.asDouble]).toEqual([7, 8]);
    // Where the counts begin is not known: the first point says so, and the later ones continue from there.
    expect(before).toMatchObject({ startTimeUnixNano: before?.timeUnixNano });
    expect(after).toMatchObject({ startTimeUnixNano: before?.timeUnixNano });
    expect(point(last, 'ralph_intervention_total')).toMatchObject({
      asDouble: 1,
      attributes: [
        { key: 'intervention_type', value: { stringValue: 'soft_correction' } },
        { key: 'issue_type', value: { stringValue: 'no_files' } },
        { key: 'outcome', value: { stringValue: 'helped' } },
      ],
    });
    expect(point(last, 'ralph_intervention_effectiveness')?.asDouble).toBe(0.5);
    expect(point(last, 'ralph_intervention_open')?.asDouble).toBe(1);
  });

  it('says who it comes from, and carries the headers that were asked for', async () => {
    const telemetry = telemetryOf({
      OTEL_SERVICE_NAME: 'my ralph',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%20b, nonsense ,=x,env=ci',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc%3D, authorization=Bearer%20t,bad name=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=own',
      OTEL_METRICS_EXPORTER: 'none',
    });
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    const traces = receiver.received[0]?.traces;
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-key': 'own' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('authorization');
    expect(traces?.resourceSpans[0]?.resource.attributes).toEqual([
      { key: 'service.version', value: { stringValue: '1.2.3' } },
      { key: 'service.name', value: { stringValue: 'my ralph' } },
      { key: 'team', value: { stringValue: 'a b' } },
      { key: 'env', value: { stringValue: 'ci' } },
    ]);
    expect(traces?.resourceSpans[0]?.scopeSpans[0]?.scope).toEqual({ name: 'ralph', version: '1.2.3' });
  });
});

describe('the environment', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['names an endpoint for both', {}, ['/v1/metrics', '/v1/traces']],
    [
      'names the beginning of a path',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'URL/in/' },
      ['/in/v1/metrics', '/in/v1/traces'],
    ],
    ['names none', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, []],
    [
      'names one for traces alone, as it is',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'URL/v1/traces?x=1' },
      ['/v1/traces?x=1'],
    ],
    [
      'names one for metrics alone',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'URL/v1/metrics' },
      ['/v1/metrics'],
    ],
    ['turns all of it off', { OTEL_SDK_DISABLED: 'True' }, []],
    ['turns traces off', { OTEL_TRACES_EXPORTER: 'none' }, ['/v1/metrics']],
    [
      'wants another exporter',
      { OTEL_TRACES_EXPORTER: 'console', OTEL_METRICS_EXPORTER: 'otlp' },
      ['/v1/metrics'],
    ],
  ])('%s', async (_how, env, paths) => {
    const here = Object.entries(env).map(([name, value]) => [name, value.replace('URL', receiver.url)]);
    const telemetry = telemetryOf(Object.fromEntries(here));
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(paths);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /HTTP alone/, 2],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, null, 2],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /isn't an http/, 0],
  ])('%o', async (env, problem, requests) => {
    const telemetry = telemetryOf(env);
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    expect(receiver.received).toHaveLength(requests);
    const matching = problems.filter((message) => problem === null || problem.test(message));
    expect(matching).toHaveLength(problems.length);
    expect(problems.length > 0).toBe(problem !== null);
  });
});

describe('trouble with the receiver', () => {
  /** A clock that stands still until the test moves it on. */
  function manualClock() {
    let ms = 0;
    const clock = systemClock();
    return { ...clock, monotonicMs: () => ms, pass: (more: number) => (ms += more) };
  }
  const ONLY_TRACES = { OTEL_METRICS_EXPORTER: 'none' };

  it.each([429, 502, 503, 504])('%i: waits, keeps the spans and sends them later', async (status) => {
    const clock = manualClock();
    const telemetry = telemetryOf(ONLY_TRACES, clock);
    receiver.answers.push({ status, headers: { 'retry-after': '30' } });
    telemetry.iteration(spanOf(1), STATE);
    await receiver.came(1);
    await expect.poll(() => problems).toHaveLength(1);
    clock.pass(29_000);
    telemetry.iteration(spanOf(2), STATE);
    clock.pass(2000);
    telemetry.iteration(spanOf(3), STATE);
    await receiver.came(2);
    await telemetry.flush();
    // The second was not sent before its time, or there would be a request more.
    expect(receiver.received).toHaveLength(2);
    const iterations = spansIn(receiver.received.slice(1)).filter(({ name }) => name === 'iteration');
    expect(iterations).toHaveLength(3);
    expect(problems[0]).toContain(`answered ${status}`);
  });

  it('400: gives the spans up, says so once, and continues with the next', async () => {
    const telemetry = telemetryOf(ONLY_TRACES);
    receiver.answers.push({ status: 400 }, { status: 400 });
    for (const iteration of [1, 2, 3]) {
      telemetry.iteration(spanOf(iteration), STATE);
      await telemetry.flush();
    }
    expect(receiver.received).toHaveLength(3);
    expect(spansIn(receiver.received.slice(2))).toHaveLength(6);
    expect(problems).toEqual([
      `Telemetry: traces did not get through: ${receiver.url}/v1/traces answered 400. The run continues without them.`,
    ]);
  });

  it('a partial success is told and not sent again', async () => {
    const telemetry = telemetryOf(ONLY_TRACES);
    receiver.answers.push({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"2"}}' });
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    expect(receiver.received).toHaveLength(1);
    expect(problems[0]).toContain('threw 2 of them away');
  });

  it('nothing that is sent holds a secret', async () => {
    const telemetry = telemetryOf();
    const text = 'signs in with hunter2hunter2, and with password: Zq9vLm3kXw7';
    telemetry.iteration(spanOf(1, { attributes: { text } }), STATE);
    await telemetry.flush();
    const sent = JSON.stringify(receiver);
    expect(sent).toContain('signs in with [redacted]');
    expect(sent).not.toMatch(/hunter2|Zq9vLm3kXw7/);
  });

  it('no one there: the flush ends, and one sentence names the address without its secrets', async () => {
    const telemetry = telemetryOf({
      ...ONLY_TRACES,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://me:pass@127.0.0.1:9/v1/traces?key=secret',
    });
    for (const iteration of [1, 2, 3]) telemetry.iteration(spanOf(iteration), STATE);
    await telemetry.flush();
    expect(problems).toEqual([expect.stringMatching(/127\.0\.0\.1:9\/v1\/traces could not be reached/)]);
    expect(problems.join()).not.toMatch(/secret|pass|me:/);
  });

  it('no answer: the flush gives up on its own and ends the request', async () => {
    const telemetry = telemetryOf(ONLY_TRACES, { ...systemClock(), sleep: async () => receiver.came(1) });
    receiver.answers.push('hang');
    telemetry.iteration(spanOf(1), STATE);
    await telemetry.flush();
    await expect.poll(() => problems).toEqual([expect.stringContaining('no answer before the end')]);
  });

  it('keeps a bounded number of spans, the newest, and says so once', async () => {
    const clock = manualClock();
    const telemetry = telemetryOf(ONLY_TRACES, clock);
    receiver.answers.push({ status: 503 });
    for (let iteration = 1; iteration <= 400; iteration += 1) telemetry.iteration(spanOf(iteration), STATE);
    await receiver.came(1);
    await expect.poll(() => problems).toHaveLength(2);
    await telemetry.flush();
    const kept = spansIn(receiver.received.slice(1));
    expect(kept.length).toBe(2048);
    expect(kept.at(-6)?.attributes[1]).toEqual({ key: 'ralph.iteration', value: { intValue: '400' } });
    expect(problems.filter((message) => message.includes('given up'))).toHaveLength(1);
  });
});
