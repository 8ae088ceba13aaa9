import fc from 'fast-check';
import { countReview, NO_REVIEWS } from 'ralph-actions/forms/record';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import { MetricsDocument } from '../../../src/state/documents.ts';
import { prometheusText } from '../../../src/state/index.ts';
import { metricFamilies, metricsDocument } from '../../../src/state/metrics.ts';
import { cell, dashboard, expressions, STATE, states } from './metrics-inputs.ts';

describe('the document', () => {
  it('counts interventions that were applied, of all agents together', () => {
    expect(metricsDocument(STATE)).toEqual({
      $schema: 'ralph.metrics.v1',
      iterations: 40,
      tasks: { done: 1, blocked: 0, parked: 1, in_progress: 1 },
      recent_runs: { count: 2, tokens: 150, cost_usd: 0.3, estimated_usd: 0 },
      spend: { tokens: 0, cost_usd: 0, estimated_usd: 0, by_task: [], by_agent: [], by_model: [] },
      interventions: {
        total_interventions: 10,
        interventions_by_type: { checkpoint_rollback: 2, emergency_stop: 2, soft_correction: 6 },
        interventions_by_severity: { low: 4, medium: 6 },
        intervention_rate_per_100_iterations: 25,
        avg_remediation_success_rate: 0.5,
        cells: [
          {
            intervention_type: 'checkpoint_rollback',
            issue_type: 'scope_creep',
            applied: 2,
            escalated: 2,
            outcome: { helped: 0, not_helped: 2, no_further_attempt: 0, open: 0 },
            effectiveness: 0,
          },
          {
            intervention_type: 'emergency_stop',
            issue_type: 'no_files',
            applied: 2,
            escalated: 1,
            outcome: { helped: 0, not_helped: 0, no_further_attempt: 2, open: 0 },
            effectiveness: null,
          },
          {
            intervention_type: 'soft_correction',
            issue_type: 'no_files',
            applied: 6,
            escalated: 0,
            outcome: { helped: 3, not_helped: 1, no_further_attempt: 1, open: 1 },
            effectiveness: 0.75,
          },
        ],
      },
      reviews: {
        ...{ total: 0, allowed: 0, warned: 0, modified: 0, blocked: 0 },
        ...{ cache_hit_rate: null, avg_review_time_us: null, review_times: expect.any(Array) },
      },
      human_gates: expect.objectContaining({ open: 0, refused: 0 }),
      events: { total: 3, by_type: { attempt_failed: 1, no_files_detected: 2 }, by_severity: { warning: 3 } },
    });
  });

  it.each([
    [0, 0, null],
    [1, 0, 1],
    [0, 3, 0],
    [1, 2, 0.3333],
  ])('%i that helped and %i that did not: a success rate of %s', (helped, notHelped, rate) => {
    const state = {
      ...STATE,
      interventionStats: { cells: [cell({ applied: 9, helped, notHelped })], bySeverity: {} },
    };
    const document = MetricsDocument.parse(metricsDocument(state));
    expect(document.interventions.avg_remediation_success_rate).toBe(rate);
  });

  it('counts reviews by decision and by time', () => {
    const review = { answer: 'warn', duration_us: 700, cache_hit: true } as const;
    const slow = { answer: 'block', duration_us: 200_000, cache_hit: false } as const;
    const reviews = [review, review, slow].reduce(countReview, NO_REVIEWS);
    const document = MetricsDocument.parse(metricsDocument({ ...EMPTY_STATE, reviews }));
    expect(document.reviews).toMatchObject({ total: 3, warned: 2, blocked: 1, cache_hit_rate: 0.6667 });
    expect(document.reviews.avg_review_time_us).toBe(67_133);
    expect(document.reviews.review_times.filter(({ count }) => count > 0)).toEqual([
      { up_to_us: 1000, count: 2 },
      { up_to_us: null, count: 1 },
    ]);
    const text = prometheusText({ ...EMPTY_STATE, reviews });
    expect(text).toContain('ralph_reviews_total{decision="warn"} 2');
    expect(text).toContain('ralph_review_time_total{up_to_us="inf"} 1');
  });

  it('has its form for an empty state, without a division by nothing', () => {
    const document = MetricsDocument.parse(metricsDocument(EMPTY_STATE));
    expect(document.interventions).toMatchObject({
      total_interventions: 0,
      intervention_rate_per_100_iterations: 0,
      avg_remediation_success_rate: null,
    });
  });
});

describe('tokens and cost', () => {
  const samplesOf = (state: State, name: string) =>
    metricFamilies(state).find((family) => family.name === name)?.samples;

  it('are those of all runs ever, also of those that the state lists no more', () => {
    const claude = { agent: 'claude', model: 'm', tokens: 9000, costUsd: 12.5, estimatedUsd: 0 };
    const codex = { agent: 'codex', model: null, tokens: 10, costUsd: 0, estimatedUsd: 0.25 };
    const state: State = { ...STATE, spend: { 'T-1': [claude], 'T-2': [claude, codex] } };
    const labels = { agent: 'claude', model: 'm' };
    const unknown = { agent: 'codex', model: 'unknown' };
    expect(samplesOf(state, 'ralph_tokens_total')).toEqual([
      { labels, value: 18_000 },
      { labels: unknown, value: 10 },
    ]);
    expect(samplesOf(state, 'ralph_cost_usd_total')).toEqual([
      { labels: { ...labels, estimated: 'false' }, value: 25 },
      { labels: { ...unknown, estimated: 'true' }, value: 0.25 },
    ]);
    const { recent_runs, spend } = metricsDocument(state);
    expect(recent_runs).toEqual({ count: 2, tokens: 150, cost_usd: 0.3, estimated_usd: 0 });
    expect(spend).toMatchObject({ tokens: 18_010, cost_usd: 25, estimated_usd: 0.25 });
    expect(spend.by_task).toMatchObject([
      { task_id: 'T-1', tokens: 9000, cost_usd: 12.5, by_model: [{ agent: 'claude', model: 'm' }] },
      { task_id: 'T-2', tokens: 9010, by_model: [{ model: 'm' }, { model: null, estimated_usd: 0.25 }] },
    ]);
    expect(spend.by_agent).toMatchObject([
      { agent: 'claude', tokens: 18_000 },
      { agent: 'codex', estimated_usd: 0.25 },
    ]);
    expect(spend.by_model).toMatchObject([{ model: 'm', cost_usd: 25 }, { model: null }]);
  });
});

describe('the metrics of any state', () => {
  it('hold every applied intervention once, as an outcome or as open', () => {
    fc.assert(
      fc.property(states, (state) => {
        const sum = (name: string) =>
          metricFamilies(state)
            .find((family) => family.name === name)
            ?.samples.reduce((all, { value }) => all + value, 0) ?? 0;
        const applied = (state.interventionStats?.cells ?? []).reduce((all, each) => all + each.applied, 0);
        expect(sum('ralph_intervention_total') + sum('ralph_intervention_open')).toBe(applied);
      }),
    );
  });

  it('do not depend on the order in which things came', () => {
    fc.assert(
      fc.property(states, (state) => {
        const { cells, bySeverity } = state.interventionStats ?? { cells: [], bySeverity: {} };
        const turned = { ...state, interventionStats: { cells: cells.toReversed(), bySeverity } };
        expect(prometheusText(turned)).toBe(prometheusText(state));
        expect(JSON.stringify(metricsDocument(turned))).toBe(JSON.stringify(metricsDocument(state)));
      }),
    );
  });

  it('have one series per set of labels, one line each', () => {
    fc.assert(
      fc.property(states, (state) => {
        const lines = prometheusText(state).split('\n');
        expect(lines.pop()).toBe('');
        const series = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ \S+$/, ''));
        expect(new Set(series).size).toBe(series.length);
        const samples = metricFamilies(state).flatMap((family) => family.samples);
        expect(series).toHaveLength(samples.length);
      }),
    );
  });
});

it('is written as Prometheus reads it', () => {
  const odd = 'say "hi"\\\nthere';
  const state = {
    ...STATE,
    interventionStats: {
      cells: [cell({ issue: odd, applied: 3, helped: 1, notHelped: 1, escalated: 1 })],
      bySeverity: {},
    },
  };
  const labels = 'intervention_type="soft_correction",issue_type="say \\"hi\\"\\\\\\nthere"';
  expect(prometheusText(state).split('\n').slice(0, 15)).toEqual([
    '# HELP ralph_intervention_total Interventions whose outcome is known.',
    '# TYPE ralph_intervention_total counter',
    `ralph_intervention_total{${labels},outcome="helped"} 1`,
    `ralph_intervention_total{${labels},outcome="not_helped"} 1`,
    `ralph_intervention_total{${labels},outcome="no_further_attempt"} 0`,
    '# HELP ralph_intervention_open Interventions whose outcome the next attempt of the task decides.',
    '# TYPE ralph_intervention_open gauge',
    `ralph_intervention_open{${labels}} 1`,
    '# HELP ralph_intervention_effectiveness Share of the judged interventions that helped, 0 to 1.',
    '# TYPE ralph_intervention_effectiveness gauge',
    `ralph_intervention_effectiveness{${labels}} 0.5`,
    '# HELP ralph_intervention_escalation_total Interventions that went a rung up, as the one before had not helped.',
    '# TYPE ralph_intervention_escalation_total counter',
    'ralph_intervention_escalation_total{issue_type="say \\"hi\\"\\\\\\nthere"} 1',
    '# HELP ralph_iterations_total Iterations of the loop.',
  ]);
});

describe('the dashboard', () => {
  it('can be imported: it asks for the data source, and holds none of a machine', () => {
    expect(dashboard).toMatchObject({ id: null, title: 'ralph', schemaVersion: expect.any(Number) });
    expect(dashboard.__inputs).toMatchObject([{ type: 'datasource', pluginId: 'prometheus' }]);
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { datasource, targets } of dashboard.panels) {
      for (const each of [datasource, ...targets.map((target: { datasource: unknown }) => target.datasource)])
        expect(each).toEqual({ type: 'prometheus', uid: `\${datasource}` });
    }
  });

  it.each(['Interventions by type', 'Effectiveness', 'Escalation rate'])('shows: %s', (title) => {
    expect(expressions.map(([name]) => name)).toContain(title);
  });

  it.each(expressions)('%s asks for what there is: %s', (_title, expr) => {
    const families = metricFamilies(STATE);
    const names: string[] = expr.match(/\bralph_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(families.map((family) => family.name)).toContain(name);
    const asked = [...expr.matchAll(/(?:by|on) \(([^)]*)\)/g)].flatMap(
      ([, labels = '']) => labels.match(/\w+/g) ?? [],
    );
    const known = families
      .filter((family) => names.includes(family.name))
      .flatMap((family) => family.samples.flatMap((sample) => Object.keys(sample.labels)));
    for (const label of asked) expect(known).toContain(label);
  });
});
