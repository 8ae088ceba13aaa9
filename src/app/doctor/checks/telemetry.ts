import { check, info } from '../check.ts';

/** Variables by which programs are told where to send OpenTelemetry's data. */
const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];

export const telemetryCheck = check({
  gather: () => ENDPOINTS.filter((name) => (process.env[name] ?? '').trim() !== ''),
  judge: (names) =>
    names.map((name) =>
      info(
        'telemetry.endpoint',
        `${name} has no effect on ralph`,
        'nothing is sent; spans are in .ralph/runs/RUN/spans.jsonl, numbers in `ralph metrics`',
        'docs/METRICS.md, "OpenTelemetry", shows how a collector reads the file.',
      ),
    ),
});
