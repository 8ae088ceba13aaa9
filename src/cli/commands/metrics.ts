import { type MetricsResult, metrics, prometheusMetrics } from '../../app/commands/metrics.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { percent } from '../render/words.ts';

export async function run(call: Call) {
  if (call.format !== 'prometheus') await call.print(await metrics(call), metricsText);
  else await call.print(await prometheusMetrics(call), ({ text }) => text);
}

const HEAD = ['intervention', 'issue', 'applied', 'helped', 'did not', 'no attempt', 'open', 'effective'];

/** `ralph metrics` */
export function metricsText(data: MetricsResult, { table }: Terminal): string {
  const { iterations, tasks, recent_runs: runs, events, interventions: all } = data;
  const unknown = 'not judged yet';
  const sums = table([
    ['iterations', String(iterations)],
    ['tasks', listed(tasks)],
    ['recent runs', `${runs.count}: ${runs.tokens} tokens, ${runs.cost_usd} USD`],
    ['events', String(events.total)],
    [
      'interventions',
      `${all.total_interventions}, ${all.intervention_rate_per_100_iterations} per 100 iterations`,
    ],
    ['by type', listed(all.interventions_by_type)],
    ['by severity', listed(all.interventions_by_severity)],
    ['helped', percent(all.avg_remediation_success_rate, unknown)],
  ]);
  if (all.cells.length === 0) return sums;
  const rows = all.cells.map(({ intervention_type, issue_type, applied, outcome, effectiveness }) => {
    const counts = [applied, outcome.helped, outcome.not_helped, outcome.no_further_attempt, outcome.open];
    return [intervention_type, issue_type, ...counts.map(String), percent(effectiveness, unknown)];
  });
  return `${sums}\n\n${table(rows, HEAD)}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return entries.length === 0 ? 'none' : entries.join(', ');
}
