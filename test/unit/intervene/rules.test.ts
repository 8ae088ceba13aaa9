import { describe, expect, it } from 'vitest';
import type { HandlerAnswer, HandlerOutcome } from '../../../src/domain/intervention.ts';
import { decideInterventions } from '../../../src/respond/intervene/index.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import {
  applied,
  attempt,
  finding,
  given,
  momentOf,
  record,
  rungs,
  settings,
  state,
  TYPES,
} from './inputs.ts';

function handler(issue: string, answer: HandlerAnswer, more: Partial<HandlerOutcome> = {}): HandlerOutcome {
  return { issue, call: 'intervene', answer, failure: null, ...more };
}

/** The second iteration of a task on which an intervention waits for its judgement. */
function second(
  issue: string,
  earlier: Parameters<typeof record>[0],
  more: Parameters<typeof given>[0] = {},
) {
  return given({
    iteration: 2,
    findings: [finding(issue)],
    taskState: state({
      interventions: [record(earlier, issue)],
      interventionCount: 1,
      attempts: [attempt(1, [issue])],
    }),
    ...more,
  });
}

it('decides nothing where nothing was found', () => {
  expect(decideInterventions(given())).toEqual({
    interventions: [],
    leftOut: [],
    assessed: [],
    reinforce: [],
    throttle: null,
    parkedBecause: null,
    recovery: [],
    limitReached: null,
    uncured: null,
  });
});

it('records what it did and why', () => {
  const found = finding('false_completion', { confidence: 1, impactFactor: 0.2 });
  expect(
    decideInterventions(second('false_completion', 'soft', { findings: [found] })).interventions,
  ).toMatchObject([
    {
      record: {
        ...{ type: 'context_reinforcement', issue: 'false_completion', also: [], severity: 'medium' },
        ...{ iteration: 2, at: momentOf(2), agent: 'claude', severityScore: 0.6, escalationLevel: 1 },
        ...{ escalated: true, outcome: null },
      },
      why: 'false_completion (medium): 0.5 × 1 × 1.20 = 0.60, + 0.3 × 1 = 0.90; soft_correction did not help in iteration 1; the score proposes emergency_stop, at most one rung above.',
    },
  ]);
});

it('takes confidence and impact from the user before those of the finding', () => {
  const weights = { no_files: { confidence: 0.5, impact_factor: 1 } };
  const input = given({ findings: [finding('no_files')], settings: settings({ weights }) });
  expect(decideInterventions(input).interventions[0]?.record.severityScore).toBe(0.5);
});

describe('what became of earlier interventions', () => {
  const { interventions } = state({
    interventions: [record('soft', 'no_files', { also: ['evidence_missing'] })],
  });
  const assessed = (findings: string[], iteration = 2) =>
    decideInterventions(
      given({
        iteration,
        findings: findings.map((type) => finding(type)),
        taskState: state({ interventions }),
      }),
    ).assessed.map(({ outcome }) => outcome);

  it.each([
    [[], 'helped'],
    [['goal_drift'], 'helped'],
    [['no_files'], 'not_helped'],
    [['evidence_missing'], 'not_helped'],
  ])('with %j shown: %s', (findings, outcome) => {
    expect(assessed(findings)).toEqual([outcome]);
  });

  it('is not asked in the same iteration, nor twice', () => {
    expect(assessed([], 1)).toEqual([]);
    const done = state({ interventions: [record('soft', 'no_files', { outcome: 'helped' })] });
    expect(decideInterventions(given({ iteration: 2, taskState: done })).assessed).toEqual([]);
  });
});

describe('several findings', () => {
  it('that lead to the same intervention share it, the gravest first', () => {
    const findings = [
      finding('no_files', { severity: 'low' }),
      finding('gate_regression', { severity: 'medium' }),
      finding('goal_drift', { severity: 'high' }),
    ];
    const decision = decideInterventions(given({ findings }));
    expect(applied(decision)).toEqual(['soft:goal_drift+gate_regression+no_files']);
    const text = JSON.stringify(decision.interventions[0]?.plan);
    // The feedback on the attempt has the other two texts.
    expect(text).toContain('nothing to do with the task');
    expect(text).not.toMatch(/passed before your work|without a changed file/);
  });

  it('that lead to different ones get one each', () => {
    const findings = [
      finding('no_files'),
      finding('scope_creep'),
      finding('resource_spiral'),
      finding('oscillation'),
    ];
    expect(applied(decideInterventions(given({ findings })))).toEqual([
      'soft:no_files',
      'reinforce:scope_creep+oscillation',
      'throttle:resource_spiral',
    ]);
  });

  it('beside an emergency stop get nothing', () => {
    const findings = [
      finding('no_files'),
      finding('goal_drift', { severity: 'critical' }),
      finding('scope_creep'),
    ];
    expect(applied(decideInterventions(given({ findings })))).toEqual(['stop:goal_drift']);
  });

  it('that are critical come first, whatever their score', () => {
    const critical = finding('goal_drift', { severity: 'critical', confidence: 0.1 });
    const input = second('state_tampering', 'reinforce', {
      findings: [finding('state_tampering', { severity: 'high' }), critical],
    });
    expect(applied(decideInterventions(input))).toEqual(['stop:goal_drift+state_tampering']);
    expect(decideInterventions(input).interventions[0]?.record.severity).toBe('critical');
  });

  it('lead to rollback and throttling side by side', () => {
    const input = second('oscillation', 'reinforce', {
      findings: [finding('oscillation', { severity: 'high' }), finding('resource_spiral')],
    });
    const decision = decideInterventions(input);
    expect(rungs(decision)).toBe('rollback throttle');
    expect(decision.throttle).not.toBeNull();
  });

  it('of the same type count once', () => {
    const findings = [finding('avoidance', { severity: 'high' }), finding('avoidance')];
    expect(applied(decideInterventions(given({ findings })))).toEqual(['soft:avoidance']);
  });
});

describe('cooldown', () => {
  /** Returns the short names of what is decided so many seconds after two interventions that were 10 s apart. */
  const late = (seconds: number, more = {}) => {
    const input = second('no_files', 'soft', { endedAt: momentOf(1 + seconds / 60), ...more });
    const { taskState } = input;
    const interventions = taskState.interventions.flatMap((one) => [
      { ...one, at: momentOf(1 - 10 / 60), outcome: 'not_helped' as const },
      one,
    ]);
    return rungs(decideInterventions({ ...input, taskState: { ...taskState, interventions } }));
  };

  it.each([0, 1, 29])('the first failure after a fast one is answered: after %d s', (seconds) => {
    const input = second('no_files', 'soft', { endedAt: momentOf(1 + seconds / 60) });
    expect(rungs(decideInterventions(input))).toBe('reinforce');
  });

  it.each([
    [0, ''],
    [29.9, ''],
    [30, 'reinforce'],
    [-5, 'reinforce'],
  ])('after %d s: %s', (seconds, expected) => {
    expect(late(seconds)).toBe(expected);
  });

  it('does not hold another issue', () => {
    expect(late(1, { findings: [finding('goal_drift')] })).toBe('soft');
  });

  it('does not hold a critical finding', () => {
    expect(late(1, { findings: [finding('no_files', { severity: 'critical' })] })).toBe('stop');
  });

  it('holds what joined another as well', () => {
    const taskState = state({ interventions: [record('soft', 'goal_drift', { also: ['no_files'] })] });
    expect(late(1, { taskState })).toBe('');
  });

  it('keeps what is reinforced and still there', () => {
    const input = second('scope_creep', 'reinforce', { endedAt: momentOf(1.1) });
    const { interventions } = input.taskState;
    const taskState = {
      ...input.taskState,
      interventions: [...interventions, ...interventions],
      reinforce: ['scope_creep', 'oscillation'],
    };
    expect(decideInterventions({ ...input, taskState })).toMatchObject({
      interventions: [],
      reinforce: ['scope_creep'],
    });
  });
});

describe('work whose gates pass', () => {
  const after = (severity: 'low' | 'medium', progressed: boolean) => {
    const findings = [finding('repetitive_errors', { severity })];
    const input = second('repetitive_errors', 'reinforce', { iteration: 3, findings, progressed });
    const attempts = [1, 2].map((iteration) => attempt(iteration, ['repetitive_errors']));
    const interventions = [
      record('soft', 'repetitive_errors', { outcome: 'not_helped' }),
      record('reinforce', 'repetitive_errors', { iteration: 2, at: momentOf(2) }),
    ];
    return rungs(
      decideInterventions({ ...input, taskState: { ...input.taskState, attempts, interventions } }),
    );
  };

  it.each([
    ['low', true, 'reinforce'],
    ['low', false, 'rollback'],
    ['medium', true, 'rollback'],
  ] as const)(
    'is not rolled back for something slight: %s, progressed: %s → %s',
    (severity, progressed, expected) => {
      expect(after(severity, progressed)).toBe(expected);
    },
  );
});

describe('limits', () => {
  const used = (interventionCount: number) =>
    given({
      findings: [finding('no_files'), finding('scope_creep')],
      taskState: state({ interventionCount }),
    });

  it.each([
    [0, 'soft reinforce', false],
    [8, 'soft reinforce', false],
    [9, 'soft', false],
    [10, '', true],
    [11, '', true],
  ])('of the task with %i of 10 used: %j, blocked: %s', (count, expected, isReached) => {
    const decision = decideInterventions(used(count));
    expect(rungs(decision)).toBe(expected);
    expect(decision.limitReached !== null).toBe(isReached);
  });

  it('of the task says what is to be known', () => {
    expect(decideInterventions(used(10)).limitReached).toBe(
      'The interventions for task E1-02 are used up ([interventions] max_interventions_per_task = 10), and no_files is still there.',
    );
  });

  it('of the task block nothing when there is nothing to do', () => {
    expect(decideInterventions({ ...used(10), findings: [] }).limitReached).toBeNull();
    expect(decideInterventions({ ...used(10), taskAfter: 'blocked' }).limitReached).toBeNull();
  });

  it('do not hold a critical finding', () => {
    const decision = decideInterventions({
      ...used(10),
      findings: [finding('no_files', { severity: 'critical' })],
    });
    expect(rungs(decision)).toBe('stop');
    expect(decision.limitReached).toBeNull();
  });

  it('of 0 are off', () => {
    expect(
      rungs(decideInterventions({ ...used(99), settings: settings({ max_interventions_per_task: 0 }) })),
    ).toBe('soft reinforce');
  });
});

describe('interventions that are switched off or used up', () => {
  const without = (...names: string[]) =>
    settings(Object.fromEntries(names.map((name) => [TYPES[name], { enabled: false }])));

  it.each([
    ['no_files', ['soft'], 'reinforce'],
    ['no_files', ['soft', 'reinforce'], 'stop'],
    ['no_files', ['soft', 'reinforce', 'stop'], ''],
    ['scope_creep', ['reinforce'], 'throttle'],
    ['evidence_missing', ['soft', 'reinforce'], ''],
  ])('%s without %j takes %j', (issue, names, expected) => {
    const input = given({ findings: [finding(issue)], settings: without(...names) });
    expect(rungs(decideInterventions(input))).toBe(expected);
  });

  it('are passed over on the way up', () => {
    expect(
      rungs(decideInterventions(second('false_completion', 'soft', { settings: without('reinforce') }))),
    ).toBe('rollback');
  });

  it('leave a critical finding the sternest that is left', () => {
    const critical = (issue: string) =>
      given({ findings: [finding(issue, { severity: 'critical' })], settings: without('stop') });
    expect(rungs(decideInterventions(critical('scope_creep')))).toBe('throttle');
    expect(rungs(decideInterventions(critical('critical_security_violation')))).toBe('');
  });

  it('by their own max_attempts give way to the next rung', () => {
    const interventions = [1, 2, 3].map((iteration) =>
      record('soft', 'goal_drift', { iteration, at: momentOf(iteration), outcome: 'helped' }),
    );
    const input = given({
      iteration: 9,
      findings: [finding('no_files')],
      taskState: state({ interventions }),
    });
    expect(rungs(decideInterventions(input))).toBe('reinforce');
  });

  it('with nothing above what did not help leave feedback alone', () => {
    const once = settings({
      context_reinforcement: { enabled: false },
      soft_correction: { max_attempts: 1 },
    });
    const input = second('evidence_missing', 'soft', { settings: once });
    expect(rungs(decideInterventions(input))).toBe('');
  });
});

describe('how the task stands', () => {
  const findings = [finding('no_files'), finding('gate_regression')];

  it.each([
    ['open', 'reinforce'],
    ['blocked', ''],
    ['done', ''],
  ] as const)('%s: a gentle intervention: %j', (taskAfter, expected) => {
    expect(
      rungs(decideInterventions(second('no_files', 'soft', { findings: [finding('no_files')], taskAfter }))),
    ).toBe(expected);
  });

  it.each([
    ['open', 'rollback', null],
    ['blocked', 'rollback', 'no_further_attempt'],
    ['done', '', undefined],
  ] as const)('%s: a rollback: %j with the outcome %s', (taskAfter, expected, outcome) => {
    const decision = decideInterventions(second('oscillation', 'reinforce', { taskAfter }));
    expect(rungs(decision)).toBe(expected);
    expect(decision.interventions[0]?.record.outcome).toBe(outcome);
  });

  it.each(['open', 'blocked', 'done'] as const)('%s: a critical finding stops', (taskAfter) => {
    const critical = [...findings, finding('hallucination', { severity: 'critical' })];
    const decision = decideInterventions(given({ findings: critical, taskAfter }));
    expect(applied(decision)).toEqual(['stop:hallucination']);
    expect(decision.interventions[0]?.record.outcome).toBe('no_further_attempt');
  });

  it('done: nothing that is switched off brings a rollback instead', () => {
    const off = settings({ emergency_stop: { enabled: false } });
    const critical = [finding('oscillation', { severity: 'critical' })];
    expect(rungs(decideInterventions(given({ findings: critical, taskAfter: 'done', settings: off })))).toBe(
      '',
    );
    expect(rungs(decideInterventions(given({ findings: critical, taskAfter: 'open', settings: off })))).toBe(
      'rollback',
    );
  });
});

describe('a rollback without a safe checkpoint', () => {
  const parked = (taskAfter: 'open' | 'blocked') =>
    decideInterventions(second('oscillation', 'reinforce', { checkpoints: [], taskAfter }));

  it('makes the task wait, with a plan for the user', () => {
    const decision = parked('open');
    expect(decision.parkedBecause).toBe(
      'oscillation calls for a rollback, and there is no safe checkpoint from before it began.',
    );
    const plan = decision.interventions[0]?.plan;
    expect(plan).toMatchObject({ type: 'checkpoint_rollback', checkpoint: null });
    expect(plan?.type === 'checkpoint_rollback' && plan.recovery.join('\n')).toContain('ralph unblock E1-02');
    expect(decision.interventions[0]?.record.outcome).toBe('no_further_attempt');
  });

  it('parks nothing where the task is blocked anyway', () => {
    expect(parked('blocked').parkedBecause).toBeNull();
  });
});

describe("the user's modules", () => {
  const first = (handled: HandlerOutcome[], more: Parameters<typeof given>[0] = {}) =>
    decideInterventions(given({ findings: [finding('no_files')], handled, ...more }));

  it.each([
    ['another rung', handler('no_files', { intervention: 'checkpoint_rollback' }), 'rollback'],
    ['nothing', handler('no_files', { intervention: 'none' }), ''],
    ['no answer', handler('no_files', null), 'soft'],
    ['a failure', handler('no_files', { intervention: 'none' }, { failure: 'threw' }), 'soft'],
    ['an answer for another issue', handler('goal_drift', { intervention: 'none' }), 'soft'],
    ['a detection', handler('no_files', { intervention: 'none' }, { call: 'detect' }), 'soft'],
    ['the strategy, which is not the custom one', handler('strategy', { intervention: 'none' }), 'soft'],
  ])('%s', (_, outcome, expected) => {
    expect(rungs(first([outcome]))).toBe(expected);
  });

  it('bring their own text', () => {
    const answer = { intervention: 'soft_correction', text: 'Mine.' } as const;
    expect(first([handler('no_files', answer)]).interventions[0]?.plan).toEqual({
      type: 'soft_correction',
      text: 'Mine.',
    });
  });

  it('cannot use what is switched off', () => {
    const off = settings({ emergency_stop: { enabled: false } });
    expect(rungs(first([handler('no_files', { intervention: 'emergency_stop' })], { settings: off }))).toBe(
      'soft',
    );
  });

  it.each([handler('no_files', { intervention: 'none' }), handler('strategy', { intervention: 'none' })])(
    'cannot soften a critical finding: $issue',
    (outcome) => {
      const input = {
        findings: [finding('no_files', { severity: 'critical' })],
        settings: settings({ strategy: { type: 'custom' } }),
      } as const;
      expect(rungs(first([outcome], input))).toBe('stop');
    },
  );

  it('of the strategy decide for all issues without a handler of their own', () => {
    const custom = {
      settings: settings({ strategy: { type: 'custom' } }),
      findings: [finding('no_files'), finding('scope_creep'), finding('goal_drift')],
    } as const;
    const handled = [
      handler('strategy', { intervention: 'resource_throttling' }),
      handler('goal_drift', { intervention: 'soft_correction' }),
    ];
    expect(applied(first(handled, custom))).toEqual(['throttle:no_files+scope_creep', 'soft:goal_drift']);
    expect(applied(first([handler('strategy', null)], custom))).toEqual([
      'soft:no_files+goal_drift',
      'reinforce:scope_creep',
    ]);
  });
});

describe('corrections that reached the running agent', () => {
  const observed = { ...EMPTY_OBSERVED, corrections: [{ issue: 'no_files', text: 'Write.', atMs: 5 }] };

  it('are not said again, and stand in the record', () => {
    const decision = decideInterventions(given({ findings: [finding('no_files')], observed }));
    expect(applied(decision)).toEqual(['soft:no_files']);
    expect(decision.interventions[0]?.plan).toEqual({ type: 'soft_correction', text: '' });
  });

  it('leave the other issues their text', () => {
    const findings = [finding('no_files'), finding('goal_drift')];
    const plan = decideInterventions(given({ findings, observed })).interventions[0]?.plan;
    const text = plan?.type === 'soft_correction' ? plan.text : '';
    expect(text).toContain('nothing to do with the task');
    expect(text).not.toContain('without a changed file');
  });
});
