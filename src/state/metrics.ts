import { REVIEW_TIMES_US, type ReviewNumbers } from 'ralph-actions/forms/record';
import { HUMAN_GATES, type HumanGateName } from '../domain/human/gate.ts';
import type { Recovery } from '../domain/human/recovery.ts';
import { type GateTotals, type HumanState, NO_GATE_TOTALS } from '../domain/human/state.ts';
import type { InterventionCell } from '../domain/intervention.ts';
import type { State } from '../domain/records/state.ts';
import { addSpent, costOf, NOTHING_SPENT, type SpendCell, type Spent } from '../domain/spend.ts';

type MetricSample = {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A metric with all its values. A `counter` never decreases. */
type MetricFamily = {
  readonly name: string;
  /** Explanation in one sentence. */
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  /** Values of the metric, always in the same order. */
  readonly samples: readonly MetricSample[];
};

type Group = Omit<InterventionCell, 'agent'>;

const family =
  (kind: MetricFamily['kind']) =>
  (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
    name: `ralph_${name}`,
    help,
    kind,
    samples,
  });
const counter = family('counter');
const gauge = family('gauge');

/** Returns the metrics for Prometheus. Equal states give equal lists. */
export function metricFamilies(state: State): MetricFamily[] {
  const groups = interventionGroups(state);
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
    ...spendFamilies(state),
    ...reviewFamilies(state.reviews),
    ...humanFamilies(state),
    counter('events_total', 'Recorded events, archived ones included.', byType),
  ];
}

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
      ...inDollars(state.runs.reduce<Spent>(addSpent, NOTHING_SPENT)),
    },
    spend: spendDocument(state),
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
    reviews: reviewsDocument(state.reviews),
    human_gates: gateMetrics(
      state,
      Object.entries(state.tasks).map(([id, { doneBy, blocked }]) => {
        const cells = Object.hasOwn(state.spend, id) ? (state.spend[id] ?? []) : [];
        const { usd } = costOf(cells.reduce<Spent>(addSpent, NOTHING_SPENT));
        return { id, done: doneBy !== null, blocked: blocked !== null, usd };
      }),
    ),
    events: { total: count, by_type: sorted(byType), by_severity: sorted(bySeverity) },
  };
}

function interventionGroups(state: State): Group[] {
  const groups = new Map<string, Group>();
  for (const { agent: _agent, ...cell } of state.interventionStats.cells) {
    const key = JSON.stringify([cell.type, cell.issue]);
    const group = groups.get(key);
    groups.set(
      key,
      group === undefined
        ? cell
        : {
            ...group,
            applied: group.applied + cell.applied,
            helped: group.helped + cell.helped,
            notHelped: group.notHelped + cell.notHelped,
            noFurtherAttempt: group.noFurtherAttempt + cell.noFurtherAttempt,
            escalated: group.escalated + cell.escalated,
          },
    );
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function outcomesOf({ helped, notHelped, noFurtherAttempt }: Group) {
  return { helped, not_helped: notHelped, no_further_attempt: noFurtherAttempt };
}

function openOf({ applied, helped, notHelped, noFurtherAttempt }: Group): number {
  return Math.max(0, applied - helped - notHelped - noFurtherAttempt);
}

/** Returns the share, 0 to 1, of judged interventions that helped; `null`: none was judged. */
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

function humanFamilies({ human }: State): MetricFamily[] {
  const { requests, decisions, seconds } = gateSamples(human);
  if (requests.length === 0) return [];
  return [
    counter('human_gate_requests_total', 'Requests for your decision.', requests),
    counter('human_gate_decisions_total', 'Your decisions at human gates.', decisions),
    counter('human_gate_wait_seconds_total', 'Seconds between requests and their decisions.', seconds),
    gauge('human_gate_open', 'Requests that wait for your decision.', [
      { labels: {}, value: human.requests.length },
    ]),
  ];
}

/** Name for a model that no agent reported and that isn't configured. */
const UNKNOWN = 'unknown';

/** Returns metrics of usage by agent and model. By task, there would be too many labels. */
function spendFamilies(state: State): MetricFamily[] {
  const cells = spendBy(state, ({ agent, model }) => [agent, model]);
  const labelled = cells.map(({ keys: [agent, model], spent }) => ({
    labels: { agent: agent ?? UNKNOWN, model: model ?? UNKNOWN },
    spent,
  }));
  const money = labelled.flatMap(({ labels, spent: { costUsd, estimatedUsd } }) => [
    { labels: { ...labels, estimated: 'false' }, value: rounded(costUsd) },
    { labels: { ...labels, estimated: 'true' }, value: rounded(estimatedUsd) },
  ]);
  const tokens = labelled.map(({ labels, spent }) => ({ labels, value: spent.tokens }));
  return [
    counter('tokens_total', 'Input and output tokens as the agents report them.', tokens),
    counter(
      'cost_usd_total',
      'Cost in US dollars: as the agents report it, or estimated by [budget.prices].',
      money.filter(({ value }) => value > 0),
    ),
  ];
}

function spendDocument(state: State) {
  const [all] = spendBy(state, () => []);
  return {
    ...inDollars(all?.spent ?? NOTHING_SPENT),
    by_task: Object.entries(sorted(state.spend)).map(([task_id, cells]) => ({
      task_id,
      ...inDollars(cells.reduce<Spent>(addSpent, NOTHING_SPENT)),
      by_model: cells.map(({ agent, model, ...spent }) => ({ agent, model, ...inDollars(spent) })),
    })),
    by_agent: spendBy(state, ({ agent }) => [agent]).map(({ keys: [agent], spent }) => ({
      agent: agent ?? UNKNOWN,
      ...inDollars(spent),
    })),
    by_model: spendBy(state, ({ agent, model }) => [agent, model]).map(({ keys: [agent, model], spent }) => ({
      agent: agent ?? UNKNOWN,
      model: model ?? null,
      ...inDollars(spent),
    })),
  };
}

function spendBy(state: State, keysOf: (cell: SpendCell) => readonly (string | null)[]) {
  const sums = new Map<string, { readonly keys: readonly (string | null)[]; readonly spent: Spent }>();
  for (const cell of Object.values(state.spend).flat()) {
    const keys = keysOf(cell);
    const key = JSON.stringify(keys);
    sums.set(key, { keys, spent: addSpent(sums.get(key)?.spent ?? NOTHING_SPENT, cell) });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function inDollars({ tokens, costUsd, estimatedUsd }: Spent) {
  return { tokens, cost_usd: rounded(costUsd), estimated_usd: rounded(estimatedUsd) };
}

/** Returns numbers of reviews. Review times are counted in classes, each up to a number of µs. */
function reviewsDocument({ cacheHits, timeUs, times, ...summary }: ReviewNumbers) {
  const { total } = summary;
  return {
    ...summary,
    cache_hit_rate: total === 0 ? null : rounded(cacheHits / total),
    avg_review_time_us: total === 0 ? null : Math.round(timeUs / total),
    review_times: times.map((count, index) => ({ up_to_us: REVIEW_TIMES_US[index] ?? null, count })),
  };
}

function reviewFamilies({ total, allowed, warned, modified, blocked, cacheHits, times }: ReviewNumbers) {
  if (total === 0) return [];
  const decisions = Object.entries({ allow: allowed, warn: warned, modify: modified, block: blocked });
  const samples = decisions.map(([decision, value]) => ({ labels: { decision }, value }));
  const classes = times.map((value, index) => ({
    labels: { up_to_us: String(REVIEW_TIMES_US[index] ?? 'inf') },
    value,
  }));
  return [
    counter('reviews_total', 'Reviewed actions of agents.', samples),
    counter('review_cache_hits_total', 'Reviews that used an earlier analysis.', [
      { labels: {}, value: cacheHits },
    ]),
    counter('review_time_total', 'Reviews by the time that they took, in µs.', classes),
  ];
}

export function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Figures from literature on agents alone and with people. @see docs/HUMAN_GATES.md */
const LITERATURE = {
  cost_multiplier: { autonomous: 6, with_people: 1 },
  error_rate: { autonomous: 0.35, with_people: 0.05 },
  revision_cycles: { autonomous: 4.2, with_people: 0.83 },
} as const;

export type TaskNumbers = {
  readonly id: string;
  readonly done: boolean;
  readonly blocked: boolean;
  /** Reported or estimated cost in US dollars. */
  readonly usd: number;
};

/** Returns numbers of human gates. A share of nothing is `null`. */
export function gateMetrics(
  { human, recoveries }: { readonly human: HumanState; readonly recoveries: readonly Recovery[] },
  tasks: readonly TaskNumbers[],
) {
  const of = (gate: HumanGateName): GateTotals => human.totals[gate] ?? NO_GATE_TOTALS;
  const [recovery, destructive] = [of('GATE-AP-RECOVERY'), of('GATE-AP-DESTRUCTIVE')];
  const ended = (how: string) => recoveries.filter((one) => one.ended?.how === how).length;
  const detections = Object.values(human.detections);
  const confirmed = sum(detections.map((one) => one.confirmed));
  const falsePositives = sum(detections.map((one) => one.falsePositives));
  const decided = (totals: GateTotals) => sum(Object.values(totals.decided));
  const rejected = human.decided.filter(
    ({ request, option }) =>
      request.gate === 'GATE-AP-DESTRUCTIVE' && (option === 'reject' || option === 'suggest'),
  );
  const done = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  const found = rejected.filter(({ request }) => done.has(request.facts.taskId)).length;
  const isActive = ({ removedAt }: HumanState['whitelist'][0]) => removedAt === null;
  return {
    open: human.requests.length,
    refused: human.refused,
    recovery: {
      started: recoveries.length,
      /** Only recoveries that ended without a reset, among the newest. */
      success_rate: share(ended('recovered'), ended('recovered') + ended('escalated') + ended('blocked')),
      escalation_rate: share(recovery.opened, tasks.length),
      average_attempts_before_escalation: share(recovery.attempts, decided(recovery)),
      time_to_decision_seconds: share(recovery.seconds, decided(recovery)),
    },
    false_positives: {
      false_positive_rate: share(falsePositives, falsePositives + confirmed),
      detection_precision: share(confirmed, falsePositives + confirmed),
      whitelist_entries: human.whitelist.filter(isActive).length,
    },
    destructive: {
      destructive_action_rate: share(destructive.opened, tasks.length),
      approval_rate: share(destructive.decided.approve ?? 0, decided(destructive)),
      alternative_found_rate: share(found, rejected.length),
      auto_approved: destructive.autoApproved,
    },
    tasks: { with_people: groupOf(human, tasks, true), without: groupOf(human, tasks, false) },
    literature: LITERATURE,
  };
}

function groupOf({ decided }: HumanState, tasks: readonly TaskNumbers[], withPeople: boolean) {
  const ids = new Set(decided.map(({ request }) => request.facts.taskId));
  const group = tasks.filter(({ id }) => ids.has(id) === withPeople);
  return {
    count: group.length,
    average_usd: share(sum(group.map(({ usd }) => usd)), group.length),
    error_rate: share(group.filter(({ blocked }) => blocked).length, group.length),
  };
}

/** Returns samples for Prometheus; none if no gate was ever opened. */
export function gateSamples(human: HumanState) {
  const gates = HUMAN_GATES.flatMap((gate) => {
    const totals = human.totals[gate];
    return totals === undefined ? [] : [{ gate, totals }];
  });
  return {
    requests: gates.map(({ gate, totals }) => ({ labels: { gate }, value: totals.opened })),
    decisions: gates.flatMap(({ gate, totals }) =>
      Object.entries(totals.decided).map(([option, value]) => ({ labels: { gate, option }, value })),
    ),
    seconds: gates.map(({ gate, totals }) => ({ labels: { gate }, value: totals.seconds })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/**
 * Returns the metrics in Prometheus' text format, version 0.0.4. Equal states give equal bytes.
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

/** Escapes a label's value: only backslash, quotation mark and line feed have a meaning there. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
