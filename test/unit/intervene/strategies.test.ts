import type { Severity } from 'ralph-kit/severity';
import { describe, expect, it } from 'vitest';
import type { InterventionCell, InterventionOutcome } from '../../../src/domain/intervention.ts';
import { decideInterventions } from '../../../src/respond/intervene/index.ts';
import { attempt, finding, given, momentOf, record, rungs, settings, state } from './inputs.ts';

type Earlier = {
  readonly rung: 'soft' | 'reinforce' | 'throttle' | 'rollback' | 'stop';
  readonly outcome: InterventionOutcome;
};

/** An iteration after one intervention, with the attempts in between. */
function later(
  issue: string,
  { rung, outcome }: Earlier,
  between: readonly ReturnType<typeof attempt>[],
  more: Parameters<typeof given>[0] = {},
) {
  const iteration = between.length + 2;
  const taskState = state({
    interventions: [record(rung, issue, { outcome })],
    attempts: [attempt(1, [issue]), ...between],
  });
  return rungs(decideInterventions(given({ iteration, taskState, findings: [finding(issue)], ...more })));
}

const low = (issue: string) => ({ findings: [finding(issue, { severity: 'low', confidence: 0.1 })] });

describe('an issue that is still there', () => {
  it.each([
    ['where the score 0.02 + 0.3 asks for no more', 'soft', 'soft'],
    ['at the top already', 'stop', 'stop'],
  ] as const)('%s', (_, rung, expected) => {
    expect(later('avoidance', { rung, outcome: 'not_helped' }, [], low('avoidance'))).toBe(expected);
  });
});

describe('progressive: the time that an intervention is given', () => {
  const unhelpful: Earlier = { rung: 'soft', outcome: 'not_helped' };
  const between = [attempt(2, ['false_completion'])];

  it.each([
    ['the next attempt', [], 60, 'reinforce'],
    ['a later one within 120 s, left out', between, 119, ''],
    ['a later one after 120 s', between, 120, 'reinforce'],
    ['only an outage in between', [attempt(2, [], { verdict: 'outage' })], 60, 'reinforce'],
  ] as const)('%s: %j', (_, attempts, seconds, expected) => {
    expect(later('false_completion', unhelpful, attempts, { endedAt: momentOf(1 + seconds / 60) })).toBe(
      expected,
    );
  });
});

describe('progressive: effectiveness', () => {
  const cell = (
    helped: number,
    notHelped: number,
    more: Partial<InterventionCell> = {},
  ): InterventionCell => ({
    ...{ agent: 'claude', issue: 'avoidance', type: 'soft_correction', applied: 9 },
    ...{ helped, notHelped, noFurtherAttempt: 7, escalated: 0, ...more },
  });
  const unhelpful: Earlier = { rung: 'soft', outcome: 'not_helped' };

  it.each([
    ['1 of 3 = 0.33 < 0.6', cell(1, 2), 'rollback'],
    ['2 of 3 = 0.67', cell(2, 1), 'soft'],
    ['3 of 5 = 0.60', cell(3, 2), 'soft'],
    ['0 of 2: too few', cell(0, 2), 'soft'],
    ['another agent', cell(0, 9, { agent: 'codex' }), 'soft'],
    ['another issue', cell(0, 9, { issue: 'no_files' }), 'soft'],
    ['another rung', cell(0, 9, { type: 'checkpoint_rollback' }), 'soft'],
  ])('%s → %s', (_, effectiveness, expected) => {
    const more = { ...low('avoidance'), effectiveness: [effectiveness] };
    expect(later('avoidance', unhelpful, [], more)).toBe(expected);
  });

  it('says so', () => {
    const input = given({
      iteration: 2,
      ...low('avoidance'),
      effectiveness: [cell(1, 2)],
      taskState: state({
        interventions: [record('soft', 'avoidance')],
        attempts: [attempt(1, ['avoidance'])],
      }),
    });
    expect(decideInterventions(input).interventions[0]?.why).toContain(
      'it helps claude in 33 % of the cases',
    );
  });
});

describe('pattern_specific: by severity', () => {
  const strategy = { settings: settings({ strategy: { type: 'pattern_specific' } }) } as const;
  const first = (issue: string, severity: Severity) =>
    rungs(
      decideInterventions(given({ ...strategy, findings: [finding(issue, { severity, confidence: 0.1 })] })),
    );

  it.each([
    ['repetitive_errors', 'soft', 'reinforce', 'rollback', 'stop'],
    // The third rung is a stop: only critical findings go straight to it.
    ['scope_creep', 'reinforce', 'throttle', 'throttle', 'stop'],
    ['resource_spiral', 'throttle', 'rollback', 'rollback', 'stop'],
    ['goal_drift', 'soft', 'reinforce', 'rollback', 'stop'],
    ['hallucination', 'reinforce', 'rollback', 'rollback', 'stop'],
    ['evidence_missing', 'soft', 'reinforce', 'reinforce', 'stop'],
    ['oscillation', 'reinforce', 'rollback', 'rollback', 'stop'],
    ['critical_security_violation', 'stop', 'stop', 'stop', 'stop'],
  ])('%s: low %s, medium %s, high %s, critical %s', (issue, ...expected) => {
    expect(
      (['low', 'medium', 'high', 'critical'] as const).map((severity) => first(issue, severity)),
    ).toEqual(expected);
  });

  it.each([
    ['reinforce', 'not_helped', 'high', 'throttle'],
    ['throttle', 'not_helped', 'high', 'stop'],
    ['throttle', 'not_helped', 'low', 'throttle'],
    ['throttle', 'helped', 'high', 'reinforce'],
  ] as const)('scope_creep after %s, which %s, at %s → %s', (rung, outcome, severity, expected) => {
    const findings = [finding('scope_creep', { severity, confidence: 0.1 })];
    const between = outcome === 'helped' ? [attempt(2, [])] : [];
    expect(later('scope_creep', { rung, outcome }, between, { ...strategy, findings })).toBe(expected);
  });

  it('waits for no delay', () => {
    const between = [attempt(2, ['scope_creep'])];
    const findings = [finding('scope_creep', { severity: 'medium' })];
    const more = { ...strategy, findings, endedAt: momentOf(2), iteration: 3 };
    expect(later('scope_creep', { rung: 'reinforce', outcome: 'not_helped' }, between, more)).toBe(
      'throttle',
    );
  });
});

describe('ladders of a detector of its own', () => {
  it('are taken in the order of severity, each level once', () => {
    const ladder = ['emergency_stop', 'resource_throttling', 'resource_throttling'] as const;
    const found = { findings: [finding('mine', { ladder: [...ladder] })] };
    expect(rungs(decideInterventions(given(found)))).toBe('throttle');
    expect(later('mine', { rung: 'throttle', outcome: 'not_helped' }, [], found)).toBe('throttle');
    expect(
      later('mine', { rung: 'throttle', outcome: 'not_helped' }, [], {
        findings: [finding('mine', { ladder: [...ladder], severity: 'high' })],
      }),
    ).toBe('stop');
  });

  it('do not change what the table says of a known issue', () => {
    const found = finding('no_files', { ladder: ['emergency_stop'] });
    expect(rungs(decideInterventions(given({ findings: [found] })))).toBe('soft');
  });

  it('that are empty give way to the general one', () => {
    expect(rungs(decideInterventions(given({ findings: [finding('mine', { ladder: [] })] })))).toBe('soft');
  });
});

it('an intervention that no attempt could judge says nothing: it begins at the first rung', () => {
  expect(later('false_completion', { rung: 'stop', outcome: 'no_further_attempt' }, [])).toBe('soft');
});
