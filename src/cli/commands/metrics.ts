import type { Command } from 'commander';
import { counted, grouped } from 'ralph-kit/counted';
import type { MetricsResult } from '../../app/commands/metrics.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { moneyText, percent, spentText, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  metrics: ['metrics', 'metrics --format prometheus'],
};

export function define(program: Command): void {
  program
    .command('metrics')
    .description('counts of iterations, tasks, tokens and interventions')
    .action(actionOf(run, false));
}

export async function run(call: Call) {
  const { metrics, prometheusMetrics } = await import('../../app/commands/metrics.ts');
  if (call.format !== 'prometheus') await call.print(await metrics(call), metricsText);
  else await call.print(await prometheusMetrics(call), ({ text }) => text, true);
}

const HEAD = ['intervention', 'issue', 'applied', 'helped', 'did not', 'no attempt', 'open', 'effective'];

export function metricsText(data: MetricsResult, { table }: Terminal): string {
  const { iterations, tasks, recent_runs: runs, spend, events, interventions: all } = data;
  const unknown = 'not judged yet';
  const sums = table([
    ['iterations', String(iterations)],
    ['tasks', listed(tasks)],
    ['recent runs', `${spentText(inCamel(runs))} (${counted(runs.count, 'run')})`],
    ['all runs', spentText(inCamel(spend))],
    ['reviews', reviewsCell(data.reviews)],
    ['events', String(events.total)],
    [
      'interventions',
      `${all.total_interventions}, ${oneDigit(all.intervention_rate_per_100_iterations)} per 100 iterations`,
    ],
    ['by type', listed(all.interventions_by_type)],
    ['by severity', listed(all.interventions_by_severity)],
    ['helped', percent(all.avg_remediation_success_rate, unknown)],
  ]);
  const parts = [sums, ...spendTables(data, table)];
  if (all.cells.length === 0) return parts.join('\n\n');
  const rows = all.cells.map(({ intervention_type, issue_type, applied, outcome, effectiveness }) => {
    const counts = [applied, outcome.helped, outcome.not_helped, outcome.no_further_attempt, outcome.open];
    return [
      words(intervention_type),
      words(issue_type),
      ...counts.map(String),
      percent(effectiveness, unknown),
    ];
  });
  return [...parts, table(rows, HEAD)].join('\n\n');
}

function reviewsCell({
  total,
  allowed,
  warned,
  modified,
  blocked,
  ...more
}: MetricsResult['reviews']): string {
  if (total === 0) return 'none';
  const time = `${((more.avg_review_time_us ?? 0) / 1000).toFixed(1)} ms each`;
  return `${total}: ${listed({ allowed, warned, modified, blocked })}; ${time}, ${percent(more.cache_hit_rate, '')} from the cache`;
}

function spendTables({ spend }: MetricsResult, table: Terminal['table']): string[] {
  if (spend.by_task.length === 0) return [];
  const tasks = spend.by_task.flatMap(({ task_id, by_model }) =>
    by_model.map(({ agent, model, ...spent }) => [task_id, agent, model ?? 'unknown', ...spentCells(spent)]),
  );
  const models = spend.by_model.map(({ agent, model, ...spent }) => [
    agent,
    model ?? 'unknown',
    ...spentCells(spent),
  ]);
  return [
    table(models, ['agent', 'model', 'tokens', 'cost']),
    table(tasks, ['task', 'agent', 'model', 'tokens', 'cost']),
  ];
}

type SpentFields = Pick<MetricsResult['spend'], 'tokens' | 'cost_usd' | 'estimated_usd'>;

function inCamel({ tokens, cost_usd: costUsd, estimated_usd: estimatedUsd }: SpentFields) {
  return { tokens, costUsd, estimatedUsd };
}

function spentCells(spent: SpentFields): string[] {
  return [grouped(spent.tokens), moneyText(inCamel(spent)) ?? 'not known'];
}

/** Words for statuses whose name isn't clear alone. */
const WORDS: Readonly<Record<string, string>> = { parked: 'waiting for you', in_progress: 'unfinished' };

function oneDigit(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).map(([name, count]) => `${WORDS[name] ?? words(name)} ${count}`);
  return entries.length === 0 ? 'none' : entries.join(', ');
}
