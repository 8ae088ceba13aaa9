import type { InterventionCell } from '../intervention.ts';
import type { State } from './state.ts';

/** One value of a metric. */
export type MetricSample = {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A metric with all its values. A `counter` only ever grows. */
export type MetricFamily = {
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  /** In a stable order. */
  readonly samples: readonly MetricSample[];
};

/** Interventions of one type on one issue, of all agents together. */
type Group = Omit<InterventionCell, 'agent'>;

const family =
  (kind: MetricFamily['kind']) =>
  (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
    ...{ name: `ralph_${name}`, help, kind, samples },
  });
const counter = family('counter');
const gauge = family('gauge');

/** The numbers that Prometheus and OpenTelemetry get; equal states give equal lists. */
export function metricFamilies(state: State): MetricFamily[] {
  const groups = interventionGroups(state);
  const { tokens, costUsd } = usageOf(state);
  const labelsOf = ({ type, issue }: Group) => ({ intervention_type: type, issue_type: issue });
  const outcomes = groups.flatMap((group) =>
    Object.entries(outcomesOf(group)).map(([outcome, value]) => ({
      labels: { ...labelsOf(group), outcome },
      value,
    })),
  );
  const open = groups.map((group) => ({ labels: labelsOf(group), value: openOf(group) }));
  const effective = groups.flatMap((group) => {
    const value = effectivenessOf([group]);
    return value === null ? [] : [{ labels: labelsOf(group), value }];
  });
  const escalated = samplesBy('issue_type', totals(groups, 'issue', 'escalated'));
  const one = (value: number) => [{ labels: {}, value }];
  const byType = samplesBy('event_type', sorted(state.eventTotals.byType));
  return [
    counter('intervention_total', 'Interventions whose outcome is known.', outcomes),
    gauge('intervention_open', 'Interventions whose outcome the next attempt of the task decides.', open),
    gauge('intervention_effectiveness', 'Share of the judged interventions that helped, 0 to 1.', effective),
    counter(
      'intervention_escalation_total',
      'Interventions that went a rung up, as the one before had not helped.',
      escalated,
    ),
    counter('iterations_total', 'Iterations of the loop.', one(state.counters.iteration)),
    gauge(
      'tasks',
      'Tasks that were started at least once, by status.',
      samplesBy('status', taskCounts(state)),
    ),
    counter('tokens_total', 'Input and output tokens as the agents report them.', one(tokens)),
    counter('cost_usd_total', 'Cost in US dollars as the agents report it.', one(costUsd)),
    counter('events_total', 'Recorded events, archived ones included.', byType),
  ];
}

/** `.ralph/metrics.json` and the body of `ralph metrics --json` (`MetricsDocument`). */
export function metricsDocument(state: State) {
  const iterations = state.counters.iteration;
  const groups = interventionGroups(state);
  const applied = groups.reduce((sum, group) => sum + group.applied, 0);
  const { count, byType, bySeverity } = state.eventTotals;
  return {
    $schema: 'ralph.metrics.v1',
    iterations,
    tasks: taskCounts(state),
    recent_runs: {
      count: state.runs.length,
      tokens: recentUsage(state).tokens,
      cost_usd: rounded(recentUsage(state).costUsd),
    },
    interventions: {
      total_interventions: applied,
      interventions_by_type: totals(groups, 'type', 'applied'),
      interventions_by_severity: sorted(state.interventionStats.bySeverity),
      intervention_rate_per_100_iterations: iterations === 0 ? 0 : rounded((applied / iterations) * 100),
      avg_remediation_success_rate: effectivenessOf(groups),
      cells: groups.map((group) => ({
        intervention_type: group.type,
        issue_type: group.issue,
        applied: group.applied,
        escalated: group.escalated,
        outcome: { ...outcomesOf(group), open: openOf(group) },
        effectiveness: effectivenessOf([group]),
      })),
    },
    events: { total: count, by_type: sorted(byType), by_severity: sorted(bySeverity) },
  };
}

function interventionGroups(state: State): Group[] {
  const groups = new Map<string, Group>();
  for (const { agent: _agent, ...cell } of state.interventionStats.cells) {
    const key = JSON.stringify([cell.type, cell.issue]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? cell : sumOf(known, cell));
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function sumOf(a: Group, b: Group): Group {
  return {
    ...a,
    applied: a.applied + b.applied,
    helped: a.helped + b.helped,
    notHelped: a.notHelped + b.notHelped,
    noFurtherAttempt: a.noFurtherAttempt + b.noFurtherAttempt,
    escalated: a.escalated + b.escalated,
  };
}

function outcomesOf({ helped, notHelped, noFurtherAttempt }: Group) {
  return { helped, not_helped: notHelped, no_further_attempt: noFurtherAttempt };
}

function openOf({ applied, helped, notHelped, noFurtherAttempt }: Group): number {
  return Math.max(0, applied - helped - notHelped - noFurtherAttempt);
}

/** Share that helped of those that were judged, 0 to 1; `null` where none was. */
function effectivenessOf(groups: readonly Group[]): number | null {
  const helped = groups.reduce((sum, group) => sum + group.helped, 0);
  const judged = groups.reduce((sum, group) => sum + group.helped + group.notHelped, 0);
  return judged === 0 ? null : rounded(helped / judged);
}

function totals(
  groups: readonly Group[],
  by: 'type' | 'issue',
  what: 'applied' | 'escalated',
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(group[by], (sums.get(group[by]) ?? 0) + group[what]);
  return sorted(Object.fromEntries(sums));
}

function samplesBy(label: string, values: Readonly<Record<string, number>>): MetricSample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function taskCounts(state: State) {
  const tasks = Object.values(state.tasks);
  return {
    done: tasks.filter((task) => task.doneBy !== null).length,
    blocked: tasks.filter((task) => task.blocked !== null).length,
    parked: tasks.filter((task) => task.parked).length,
    in_progress: tasks.filter((task) => task.inProgress).length,
  };
}

function recentUsage({ runs }: State) {
  return {
    tokens: runs.reduce((sum, run) => sum + run.tokens, 0),
    costUsd: runs.reduce((sum, run) => sum + run.costUsd, 0),
  };
}

/** Since the beginning: the runs that the state lists are the newest alone, and their sum can go down. */
function usageOf({ usageTotals: { tokens, costUsd } }: State) {
  return { tokens, costUsd: rounded(costUsd) };
}

function sorted(record: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
