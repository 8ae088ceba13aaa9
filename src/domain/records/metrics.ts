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

/** The numbers that Prometheus and OpenTelemetry get; equal states give equal lists. */
export function metricFamilies(state: State): MetricFamily[] {
  const groups = interventionGroups(state);
  const labelsOf = ({ type, issue }: Group) => ({ intervention_type: type, issue_type: issue });
  return [
    {
      name: 'ralph_intervention_total',
      help: 'Interventions whose outcome is known.',
      kind: 'counter',
      samples: groups.flatMap((group) =>
        Object.entries(outcomesOf(group)).map(([outcome, value]) => ({
          labels: { ...labelsOf(group), outcome },
          value,
        })),
      ),
    },
    {
      name: 'ralph_intervention_open',
      help: 'Interventions whose outcome the next attempt of the task will tell.',
      kind: 'gauge',
      samples: groups.map((group) => ({ labels: labelsOf(group), value: openOf(group) })),
    },
    {
      name: 'ralph_intervention_effectiveness',
      help: 'Share of the judged interventions that helped, 0 to 1.',
      kind: 'gauge',
      samples: groups.flatMap((group) => {
        const value = effectivenessOf([group]);
        return value === null ? [] : [{ labels: labelsOf(group), value }];
      }),
    },
    {
      name: 'ralph_intervention_escalation_total',
      help: 'Interventions that went a rung up, as the one before had not helped.',
      kind: 'counter',
      samples: samplesBy('issue_type', totals(groups, 'issue', 'escalated')),
    },
    {
      name: 'ralph_iterations_total',
      help: 'Iterations of the loop.',
      kind: 'counter',
      samples: [{ labels: {}, value: state.counters.iteration }],
    },
    {
      name: 'ralph_tasks',
      help: 'Tasks that were started at least once, by status.',
      kind: 'gauge',
      samples: samplesBy('status', taskCounts(state)),
    },
    {
      name: 'ralph_tokens_total',
      help: 'Input and output tokens as the agents report them.',
      kind: 'counter',
      samples: [{ labels: {}, value: usageOf(state).tokens }],
    },
    {
      name: 'ralph_cost_usd_total',
      help: 'Cost in US dollars as the agents report it.',
      kind: 'counter',
      samples: [{ labels: {}, value: usageOf(state).costUsd }],
    },
    {
      name: 'ralph_events_total',
      help: 'Recorded events, archived ones included.',
      kind: 'counter',
      samples: samplesBy('event_type', sorted(state.eventTotals.byType)),
    },
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
