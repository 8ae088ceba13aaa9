import { metricsDocument, prometheusText } from '../../state/index.ts';
import { success } from '../result.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type MetricsResult = ReturnType<typeof metricsDocument>;

/** `ralph metrics`: the numbers of `.ralph/metrics.json`. */
export function metrics(input: ProjectInput) {
  return inWorkspace(input, ({ store }) => success(metricsDocument(store.state)));
}

/** `ralph metrics --format prometheus`: the same for Prometheus. */
export function prometheusMetrics(input: ProjectInput) {
  return inWorkspace(input, ({ store }) => success({ text: prometheusText(store.state) }));
}
