import { metricsDocument, prometheusText } from '../../state/index.ts';
import { success } from '../result.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type MetricsResult = ReturnType<typeof metricsDocument>;

export function metrics(input: ProjectInput) {
  return inWorkspace(input, ({ store }) => success(metricsDocument(store.state)));
}

export function prometheusMetrics(input: ProjectInput) {
  return inWorkspace(input, ({ store }) => success({ text: prometheusText(store.state) }));
}
