import * as z from 'zod/mini';

// OTLP's JSON as opentelemetry-proto lays it down: names in lower camel case, ids in hex, 64-bit numbers as decimal text,
// enumerations as numbers. Keys that are not named are refused.

const hexId = (bytes: number) => z.string().check(z.regex(new RegExp(`^(?!0+$)[0-9a-f]{${bytes * 2}}$`)));
const uint64 = z.string().check(z.regex(/^[1-9]\d{0,19}$/));
const int64 = z.string().check(z.regex(/^-?(0|[1-9]\d{0,18})$/));

const AnyValue = z.union([z.strictObject({ stringValue: z.string() }), z.strictObject({ intValue: int64 })]);
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

const Traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: Resource,
      scopeSpans: z.array(z.strictObject({ scope: Scope, spans: z.array(Span) })),
    }),
  ),
});

/** Returns the spans of a line of OTLP's JSON file format. Throws at what the format doesn't allow. */
export function spansIn(line: string): z.infer<typeof Span>[] {
  return Traces.parse(JSON.parse(line)).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );
}
