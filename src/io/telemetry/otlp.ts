import type { Ids, IterationSpan, MetricFamily } from '../../domain/ports.ts';

// OTLP/JSON: ids in hex, 64-bit numbers as text, enumerations as numbers (https://opentelemetry.io/docs/specs/otlp/).

type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number | string };

type KeyValue = { readonly key: string; readonly value: AnyValue };
type Attributes = Readonly<Record<string, string | number | boolean>>;

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status?: { readonly code: number };
};

export type Origin = { readonly resource: Readonly<Record<string, string>>; readonly version: string };

const KIND_INTERNAL = 1;
const STATUS_OK = 1;
const STATUS_ERROR = 2;
const CUMULATIVE = 2;

/** Returns the spans of an iteration. Ids derive from run, iteration and phase, so a repeat is the same span. */
export function spansOf(span: IterationSpan, ids: Pick<Ids, 'sha256'>): Span[] {
  const traceId = ids.sha256(`trace ${span.run}`).slice(0, 32);
  const spanId = ids.sha256(`span ${span.run} ${span.iteration}`).slice(0, 16);
  const iteration: Span = {
    traceId,
    spanId,
    name: 'iteration',
    kind: KIND_INTERNAL,
    ...timesOf(span.from, span.to),
    attributes: keyValues({ 'ralph.run': span.run, 'ralph.iteration': span.iteration, ...span.attributes }),
    status: { code: span.ok ? STATUS_OK : STATUS_ERROR },
  };
  const phases = span.phases.map((phase, index) => ({
    traceId,
    spanId: ids.sha256(`span ${span.run} ${span.iteration} ${index}`).slice(0, 16),
    parentSpanId: spanId,
    name: phase.name,
    kind: KIND_INTERNAL,
    ...timesOf(phase.from, phase.to),
    attributes: keyValues(phase.attributes),
  }));
  return [iteration, ...phases];
}

export function tracesRequest(spans: readonly Span[], origin: Origin) {
  return {
    resourceSpans: [{ resource: resourceOf(origin), scopeSpans: [{ scope: scopeOf(origin), spans }] }],
  };
}

/**
 * Returns the metrics as OTLP has them.
 * @param since When counts were reported first. That point covers no time, as the true beginning is unknown.
 */
export function metricsRequest(
  families: readonly MetricFamily[],
  since: string,
  now: string,
  origin: Origin,
) {
  const time = { timeUnixNano: nanos(now) };
  const metrics = families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, kind, samples }) => {
      const start = kind === 'counter' ? { startTimeUnixNano: nanos(since) } : {};
      const dataPoints = samples.map(({ labels, value }) => ({
        attributes: keyValues(labels),
        ...start,
        ...time,
        asDouble: value,
      }));
      const sum = { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true };
      return { name, description: help, ...(kind === 'counter' ? { sum } : { gauge: { dataPoints } }) };
    });
  return {
    resourceMetrics: [{ resource: resourceOf(origin), scopeMetrics: [{ scope: scopeOf(origin), metrics }] }],
  };
}

function resourceOf({ resource, version }: Origin) {
  return { attributes: keyValues({ 'service.version': version, ...resource }) };
}

function scopeOf({ version }: Origin) {
  return { name: 'ralph', version };
}

function timesOf(from: string, to: string) {
  // The wall clock may have been set back, but a span must not end before its start.
  const end = Date.parse(to) < Date.parse(from) ? from : to;
  return { startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(end) };
}

function nanos(at: string): string {
  return String(BigInt(Date.parse(at) || 0) * 1_000_000n);
}

function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean): AnyValue {
  // Half a surrogate pair isn't UTF-8.
  if (typeof value === 'string') return { stringValue: value.replace(/\p{Surrogate}/gu, '\ufffd') };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Number.isSafeInteger(value)) return { intValue: String(value) };
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}
