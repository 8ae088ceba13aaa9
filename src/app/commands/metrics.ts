import { metricsDocument } from '../../domain/metrics.ts';
import { prometheusText } from '../../measure/index.ts';
import { type CommandResult, success } from '../result.ts';
import { openWorkspace, type ProjectInput } from '../setup/project.ts';

/** `ralph metrics`: the numbers of `.ralph/metrics.json`, or `text` for Prometheus. */
export async function metrics(
  input: ProjectInput & { readonly prometheus: boolean },
): Promise<CommandResult> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { state } = opened.project.store;
  return success(input.prometheus ? { text: prometheusText(state) } : metricsDocument(state));
}
