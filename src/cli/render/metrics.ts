import { type Terminal, table } from '../../io/ui/index.ts';
import { stripControl } from '../../lib/text.ts';

type Row = Record<string, unknown>;

const row = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {});
const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.map(row) : []);
const said = (value: unknown): string => stripControl(String(value ?? ''));
const share = (value: unknown): string =>
  typeof value === 'number' ? `${Math.round(value * 100)} %` : 'not judged yet';
const listed = (counts: unknown): string => {
  const entries = Object.entries(row(counts));
  return entries.length === 0
    ? 'none'
    : entries.map(([name, count]) => `${said(name)} ${said(count)}`).join(', ');
};

const HEAD = ['intervention', 'issue', 'applied', 'helped', 'did not', 'no attempt', 'open', 'effective'];

/** `ralph metrics` for people. */
export function metricsText(data: Row, { style, width }: Terminal): string {
  const { interventions, recent_runs, events } = data;
  const { cells, ...sums } = row(interventions);
  const runs = row(recent_runs);
  const lines = table(
    [
      ['iterations', said(data.iterations)],
      ['tasks', listed(data.tasks)],
      ['recent runs', `${said(runs.count)}: ${said(runs.tokens)} tokens, ${said(runs.cost_usd)} USD`],
      ['events', said(row(events).total)],
      [
        'interventions',
        `${said(sums.total_interventions)}, ${said(sums.intervention_rate_per_100_iterations)} per 100 iterations`,
      ],
      ['by type', listed(sums.interventions_by_type)],
      ['by severity', listed(sums.interventions_by_severity)],
      ['helped', share(sums.avg_remediation_success_rate)],
    ],
    width,
  );
  const body = rows(cells).map((cell) => {
    const { helped, not_helped, no_further_attempt, open } = row(cell.outcome);
    const counts = [cell.applied, helped, not_helped, no_further_attempt, open];
    return [cell.intervention_type, cell.issue_type, ...counts].map(said).concat(share(cell.effectiveness));
  });
  if (body.length === 0) return lines;
  const [head = '', ...rest] = table([HEAD, ...body], width).split('\n');
  return [lines, '', style.bold(head), ...rest].join('\n');
}
