import type { MetricSample } from '../domain/ports.ts';
import type { State } from '../domain/records/state.ts';
import { metricFamilies } from './metrics.ts';

/**
 * The metrics in Prometheus' text form, version 0.0.4. Equal states give equal bytes.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function prometheusText(state: State): string {
  return metricFamilies(state)
    .flatMap(({ name, help, kind, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...samples.map((sample) => `${name}${labelsOf(sample)} ${sample.value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function labelsOf({ labels }: MetricSample): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Backslash, quotation mark and line feed are all that has a meaning in the value of a label. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
