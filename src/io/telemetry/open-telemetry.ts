import { shareable } from 'ralph-kit/redact-deep';
import type { Clock, Ids, IterationSpan, MetricFamily, Telemetry } from '../../domain/ports.ts';
import type { State } from '../../domain/records/state.ts';
import { type Exporter, exporter } from './exporter.ts';
import { metricsRequest, type Origin, type Span, spansOf, tracesRequest } from './otlp.ts';
import { type Signal, telemetrySettings } from './settings.ts';

/** Limit of waiting spans; the oldest are dropped. */
const MOST_SPANS = 2048;
/** Number of spans per request. */
const BATCH = 512;
/** Time for sending the rest at the end of a run, in milliseconds. */
const FLUSH_MS = 3000;

export type TelemetryOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'sha256'>;
  readonly version: string;
  /** Additional texts to hide in everything sent. */
  readonly secrets: readonly string[];
  readonly metricsOf: (state: State) => readonly MetricFamily[];
  /** Receives the first problem of each kind. */
  readonly onProblem: (message: string) => void;
};

/** Sends spans and metrics to the OTLP receiver in the environment, if any (docs/adr/0015). */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { clock, ids, version, env, secrets, metricsOf } = options;
  const problem = onceEach(options.onProblem);
  const { traces, metrics, resource } = telemetrySettings(env, problem);
  const origin = { resource, version };
  const lost = (signal: Signal) => (why: string) =>
    problem(`Telemetry: ${signal} did not get through: ${why}. The run continues without them.`, signal);
  const spans = spanBox(origin, (count) =>
    problem(`Telemetry: over ${MOST_SPANS} spans wait for the receiver, ${count} were given up.`, 'full'),
  );
  const numbers = newestBox();
  const exporters: Exporter[] = [
    ...(traces === null ? [] : [exporter(traces, spans, clock, lost('traces'))]),
    ...(metrics === null ? [] : [exporter(metrics, numbers, clock, lost('metrics'))]),
  ];
  let since: string | null = null;

  return {
    iteration: (span: IterationSpan, state: State) => {
      if (traces !== null) spans.put(spansOf(shareable(span, secrets), ids));
      if (metrics !== null) {
        const now = clock.now();
        since ??= now;
        numbers.put(metricsRequest(shareable(metricsOf(state), secrets), since, now, origin));
      }
      for (const each of exporters) each.wake();
    },
    flush: async () => {
      const over = new AbortController();
      const drained = Promise.all(exporters.map((each) => each.drain()));
      await Promise.race([drained, clock.sleep(FLUSH_MS, over.signal)]);
      over.abort();
      for (const each of exporters) each.abort();
    },
  };
}

function spanBox(origin: Origin, onDropped: (count: number) => void) {
  let waiting: readonly Span[] = [];
  let taken: readonly Span[] = [];
  return {
    put: (spans: readonly Span[]) => {
      const all = [...waiting, ...spans];
      waiting = all.slice(-MOST_SPANS);
      if (all.length > waiting.length) onDropped(all.length - waiting.length);
    },
    next: () => {
      taken = waiting.slice(0, BATCH);
      return taken.length === 0 ? null : tracesRequest(taken, origin);
    },
    done: () => {
      // Some spans may have been dropped meanwhile.
      const gone = new Set(taken);
      waiting = waiting.filter((span) => !gone.has(span));
    },
  };
}

/** Counts are cumulative, so only the newest document is worth sending. */
function newestBox() {
  let newest: unknown = null;
  let taken: unknown = null;
  return {
    put: (document: unknown) => {
      newest = document;
    },
    next: () => {
      taken = newest;
      return taken;
    },
    done: () => {
      if (newest === taken) newest = null;
    },
  };
}

function onceEach(notify: (message: string) => void): (message: string, kind?: string) => void {
  const seen = new Set<string>();
  return (message, kind = message) => {
    if (seen.has(kind)) return;
    seen.add(kind);
    notify(message);
  };
}
