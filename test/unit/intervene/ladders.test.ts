import type { Severity } from 'ralph-kit/severity';
import { describe, expect, it } from 'vitest';
import { decideInterventions, type InterventionInput } from '../../../src/respond/intervene/index.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { after, finding, given, momentOf, rungs, state } from './inputs.ts';

type Weight = readonly [severity: Severity, confidence: number, impact: number];

const BASE = { low: 0.2, medium: 0.5, high: 0.8, critical: 1 };

/** The arithmetic of docs/internals/interventions.md, written once more for the names of the tests. */
function sum([severity, confidence, impact]: Weight, level: number): string {
  const score = BASE[severity] * confidence * (1 + impact);
  const combined = score + 0.3 * level;
  const thresholds: readonly (readonly [number, string])[] = [
    [0.9, 'stop'],
    [0.7, 'rollback'],
    [0.5, 'throttle'],
    [0.3, 'reinforce'],
  ];
  const proposed = thresholds.find(([least]) => combined >= least - 1e-9)?.[1] ?? 'soft';
  const first = `${BASE[severity]} × ${confidence} × ${1 + impact} = ${score.toFixed(2)}`;
  return level === 0
    ? `${first} (${proposed})`
    : `${first}, + 0.3 × ${level} = ${combined.toFixed(2)} (${proposed})`;
}

/** Severities, confidences and impacts, each with the rungs that are taken while nothing helps. */
type Row = readonly [weight: Weight, rungs: string];

/** With confidence 1 and impact 0, and with 0.5 and 0.5: scores of 0.20, 0.15, 0.50, 0.375, 0.80 and 0.60. */
function rows(sequences: readonly [string, string, string, string, string, string]): readonly Row[] {
  const weights: readonly Weight[] = [
    ['low', 1, 0],
    ['low', 0.5, 0.5],
    ['medium', 1, 0],
    ['medium', 0.5, 0.5],
    ['high', 1, 0],
    ['high', 0.5, 0.5],
  ];
  return weights.map((weight, index) => [weight, sequences[index] ?? '']);
}

function always(sequence: string): readonly Row[] {
  return rows([sequence, sequence, sequence, sequence, sequence, sequence]);
}

const gentleThenStop = rows([
  'soft reinforce reinforce stop',
  'soft reinforce reinforce stop',
  'soft reinforce stop',
  'soft reinforce stop',
  'soft reinforce stop',
  'soft reinforce stop',
]);

const UNHELPFUL: Readonly<Record<string, readonly Row[]>> = {
  no_files: gentleThenStop,
  action_denied: [...gentleThenStop, [['medium', 1, 0.3], 'soft reinforce stop']],
  false_completion: [
    ...always('soft reinforce rollback stop'),
    [['medium', 1, 0.2], 'soft reinforce rollback stop'],
    // The score comes from the level alone: 0.3 × 1, 2 or 3.
    [['low', 0, 0], 'soft reinforce reinforce rollback stop'],
  ],
  evidence_missing: [...always('soft reinforce reinforce reinforce'), [['low', 0.8, 0], 'soft reinforce']],
  repetitive_errors: [
    ...always('soft reinforce rollback rollback'),
    [['low', 0.9, 0.2], 'soft reinforce rollback rollback'],
    [['high', 0.9, 0.2], 'soft reinforce rollback rollback'],
  ],
  goal_drift: [...always('soft reinforce rollback rollback'), [['low', 0.6, 0.1], 'soft reinforce rollback']],
  gate_regression: [
    ...always('soft reinforce rollback rollback'),
    [['medium', 1, 0.3], 'soft reinforce rollback rollback'],
  ],
  'issue of the user': always('soft reinforce rollback rollback'),
  scope_creep: [
    ...rows([
      'reinforce throttle throttle stop',
      'reinforce reinforce throttle stop',
      'reinforce throttle stop',
      'reinforce throttle stop',
      'reinforce throttle stop',
      'reinforce throttle stop',
    ]),
    [['medium', 0.8, 0.3], 'reinforce throttle stop'],
  ],
  resource_spiral: [
    ...rows([
      'throttle throttle rollback stop',
      'throttle throttle rollback stop',
      'throttle rollback stop',
      'throttle throttle rollback stop',
      'throttle rollback stop',
      'throttle rollback stop',
    ]),
    [['medium', 0.8, 0.3], 'throttle rollback stop'],
    [['high', 0.8, 0.3], 'throttle rollback stop'],
  ],
  hallucination: [
    ...rows([
      'reinforce reinforce rollback stop',
      'reinforce reinforce rollback stop',
      'reinforce rollback stop',
      'reinforce reinforce rollback stop',
      'reinforce rollback stop',
      'reinforce rollback stop',
    ]),
    [['medium', 0.8, 0.3], 'reinforce rollback stop'],
  ],
  oscillation: [
    ...rows([
      'reinforce reinforce rollback rollback',
      'reinforce reinforce rollback rollback',
      'reinforce rollback rollback',
      'reinforce reinforce rollback rollback',
      'reinforce rollback rollback',
      'reinforce rollback rollback',
    ]),
    [['medium', 0.9, 0.2], 'reinforce rollback rollback'],
  ],
  avoidance: [
    ...rows([
      'soft soft rollback stop',
      'soft soft rollback stop',
      'soft rollback stop',
      'soft soft rollback stop',
      'soft rollback stop',
      'soft rollback stop',
    ]),
    [['high', 0.7, 0.5], 'soft rollback stop'],
  ],
  unreviewed_action: rows([
    'soft soft soft stop',
    'soft soft soft stop',
    'soft soft stop',
    'soft soft stop',
    'soft stop',
    'soft stop',
  ]),
  state_tampering: [...always('reinforce stop'), [['high', 1, 0.3], 'reinforce stop']],
  critical_security_violation: always('stop'),
};

type Played = { readonly input: InterventionInput; readonly rungs: string };

/** Iterations in which an issue is there (`true`) or not, one minute apart; the last of them as it was decided. */
function play(
  issue: string,
  [severity, confidence, impactFactor]: Weight,
  shown: readonly boolean[],
): Played {
  let taskState = state({});
  let last: Played | undefined;
  for (const [index, isShown] of shown.entries()) {
    const findings = isShown ? [finding(issue, { severity, confidence, impactFactor })] : [];
    const input = given({ iteration: index + 1, findings, taskState });
    const decision = decideInterventions(input);
    taskState = after(input, decision);
    last = { input, rungs: rungs(decision) };
  }
  if (last === undefined) throw new Error('no iteration');
  return last;
}

describe.each(Object.entries(UNHELPFUL))('%s, while nothing helps', (issue, table) => {
  const steps = table.flatMap(([weight, sequence]) =>
    sequence.split(' ').map((expected, level, all) => {
      const before = all.slice(0, level).join(', ');
      return [
        `${weight[0]} ${sum(weight, level)}${before === '' ? '' : ` after ${before}`} → ${expected}`,
        weight,
        level,
        expected,
      ] as const;
    }),
  );
  it.each(steps)('%s', (_, weight, level, expected) => {
    expect(play(issue, weight, Array(level + 1).fill(true)).rungs).toBe(expected);
  });
});

/** x: the issue is there, .: it is not; the last x is decided. */
const HISTORIES: readonly (readonly [string, Weight, history: string, expected: string])[] = [
  ['false_completion', ['medium', 1, 0.2], 'x.x', 'soft'],
  ['false_completion', ['medium', 1, 0.2], 'xx.x', 'soft'],
  ['false_completion', ['medium', 1, 0.2], 'xxx.x', 'reinforce'],
  ['false_completion', ['medium', 1, 0.2], 'xxx..x', 'reinforce'],
  // After the step down it did not help again: one up from there, not on from the top.
  ['false_completion', ['medium', 1, 0.2], 'xxx.xx', 'rollback'],
  ['false_completion', ['medium', 1, 0.2], 'xx.xx', 'reinforce'],
  ['no_files', ['low', 1, 0], 'xx.x', 'soft'],
  ['scope_creep', ['medium', 0.8, 0.3], 'xx.x', 'reinforce'],
  ['scope_creep', ['medium', 0.8, 0.3], 'x.x', 'reinforce'],
  ['resource_spiral', ['medium', 0.8, 0.3], 'xx.x', 'throttle'],
  ['hallucination', ['medium', 0.8, 0.3], 'xx.x', 'reinforce'],
  ['gate_regression', ['medium', 1, 0.3], 'xxx.x', 'reinforce'],
  ['avoidance', ['high', 0.7, 0.5], 'xx.x', 'soft'],
  // An attempt without tampering in between doesn't make an earlier one forgiven.
  ['state_tampering', ['high', 1, 0.3], 'x.x', 'stop'],
  ['state_tampering', ['high', 1, 0.3], 'x...x', 'stop'],
];

it.each(HISTORIES)('%s %j with the history %s → %s', (issue, weight, history, expected) => {
  const shown = [...history].map((mark) => mark === 'x');
  expect(play(issue, weight, shown).rungs).toBe(expected);
});

describe('critical findings', () => {
  it.each(Object.keys(UNHELPFUL))('%s critical 1 × 1 × 2 = 2.00 → stop at once', (issue) => {
    expect(play(issue, ['critical', 1, 1], [true]).rungs).toBe('stop');
  });

  it('go to the stop from any confidence: 1 × 0.1 × 1 = 0.10', () => {
    expect(play('no_files', ['critical', 0.1, 0], [true]).rungs).toBe('stop');
  });
});

describe('the window of escalation', () => {
  const weight = { severity: 'low', confidence: 1, impactFactor: 0 } as const;
  const levelAt = (attempts: number, minutes: number) => {
    const between = Array.from({ length: attempts }, (_, index) => index + 2);
    const taskState = state({
      interventions: [
        {
          ...{ type: 'soft_correction', issue: 'no_files', also: [], severity: 'low', agent: 'claude' },
          ...{ iteration: 1, at: momentOf(0), severityScore: 0.2, escalationLevel: 0, escalated: false },
          outcome: 'not_helped',
        },
      ],
      attempts: between.map((iteration) =>
        attemptSummary({ iteration, startedAt: momentOf(0), durationMs: (minutes * 60_000) / attempts }),
      ),
    });
    const input = given({
      iteration: 20,
      endedAt: momentOf(600),
      taskState,
      findings: [finding('no_files', weight)],
    });
    return decideInterventions(input).interventions[0]?.record.escalationLevel;
  };

  it.each([
    [0, 60, 1],
    [4, 60, 1],
    [5, 60, 0],
    [5, 5, 1],
    [5, 5.1, 0],
    [30, 4, 1],
  ])('%i attempts with %d minutes of work later the level is %i', (attempts, minutes, level) => {
    expect(levelAt(attempts, minutes)).toBe(level);
  });
});
