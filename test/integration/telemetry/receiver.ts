import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';

// OTLP in JSON as opentelemetry-proto and the specification of OTLP/HTTP lay it down: names in lower camel case, ids
// in hex, 64-bit numbers as decimal text, enumerations as numbers. Keys that are not named are refused.

const hexId = (bytes: number) => z.string().check(z.regex(new RegExp(`^(?!0+$)[0-9a-f]{${bytes * 2}}$`)));
const uint64 = z.string().check(z.regex(/^[1-9]\d{0,19}$/));
const int64 = z.string().check(z.regex(/^-?(0|[1-9]\d{0,18})$/));
const double = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);

const AnyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: double }),
]);
const Attributes = z
  .array(z.strictObject({ key: z.string().check(z.minLength(1)), value: AnyValue }))
  .check(z.refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys must be unique'));
const Resource = z.strictObject({ attributes: Attributes });
const Scope = z.strictObject({ name: z.string(), version: z.optional(z.string()) });

const Span = z
  .strictObject({
    traceId: hexId(16),
    spanId: hexId(8),
    parentSpanId: z.optional(hexId(8)),
    name: z.string().check(z.minLength(1)),
    kind: z.int().check(z.minimum(1), z.maximum(5)),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes: Attributes,
    status: z.optional(z.strictObject({ code: z.enum({ unset: 0, ok: 1, error: 2 }) })),
  })
  .check(z.refine((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)));
export type ReceivedSpan = z.infer<typeof Span>;

const Traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: Resource,
      scopeSpans: z.array(z.strictObject({ scope: Scope, spans: z.array(Span) })),
    }),
  ),
});

const point = { attributes: Attributes, timeUnixNano: uint64, asDouble: double };
const named = { name: z.string().check(z.minLength(1)), description: z.string() };
const Metric = z.union([
  z.strictObject({
    ...named,
    sum: z.strictObject({
      dataPoints: z.array(z.strictObject({ ...point, startTimeUnixNano: uint64 })).check(z.minLength(1)),
      aggregationTemporality: z.literal(2),
      isMonotonic: z.literal(true),
    }),
  }),
  z.strictObject({
    ...named,
    gauge: z.strictObject({ dataPoints: z.array(z.strictObject(point)).check(z.minLength(1)) }),
  }),
]);
const Metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: Resource,
      scopeMetrics: z.array(z.strictObject({ scope: Scope, metrics: z.array(Metric) })),
    }),
  ),
});

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly traces: z.infer<typeof Traces> | null;
  readonly metrics: z.infer<typeof Metrics> | null;
  readonly text: string;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Requests that were no OTLP, each with the reason; such a request gets status 400. */
  readonly wrong: string[];
  /** Answers of the receiver in this order, then 200; `hang`: it doesn't answer at all. */
  readonly answers: (Answer | 'hang')[];
  /** Resolves when so many requests have come. */
  readonly came: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** An OTLP receiver on this machine that takes nothing but what the specification allows. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const wrong: string[] = [];
  const answers: (Answer | 'hang')[] = [];
  let heard: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '';
      try {
        if (request.method !== 'POST') throw new Error(`method ${request.method}`);
        if (request.headers['content-type'] !== 'application/json') throw new Error('content type');
        const body: unknown = JSON.parse(text);
        const traces = /\/v1\/traces(\?|$)/.test(path) ? Traces.parse(body) : null;
        const metrics = /\/v1\/metrics(\?|$)/.test(path) ? Metrics.parse(body) : null;
        if (traces === null && metrics === null) throw new Error(`path ${path}`);
        received.push({ path, headers: request.headers, traces, metrics, text });
      } catch (error) {
        wrong.push(String(error));
        response.writeHead(400).end();
        return;
      } finally {
        for (const tell of heard) tell();
      }
      const answer = answers.shift() ?? { status: 200 };
      if (answer === 'hang') return;
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    wrong,
    answers,
    came: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length + wrong.length < count) return;
          heard = heard.filter((each) => each !== look);
          resolve();
        };
        heard.push(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
