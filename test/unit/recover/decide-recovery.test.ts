import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedTries, type Recovery } from '../../../src/domain/human/recovery.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import { decideRecovery, ended, flakyGates, isLoop } from '../../../src/respond/recover/index.ts';

type Facts = Parameters<typeof decideRecovery>[0];

const UNCURED = {
  type: 'avoidance',
  severity: 'high',
  confidence: 0.85,
  impactFactor: 0.5,
  taskId: 'T-1',
  iteration: 2,
  summary: '',
  details: {},
} as const;

function facts(more: Partial<Facts> = {}): Facts {
  return {
    verdict: { kind: 'false_completion', reasons: [] },
    findings: ['avoidance'],
    failedGates: [],
    detection: 0.85,
    iteration: 2,
    run: 'r-1',
    agent: 'claude',
    at: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
    ended: 'Checks were made weaker.',
    failure: '',
    tree: '',
    flaky: [],
    task: { id: 'T-1', title: 'One' },
    open: null,
    uncured: null,
    subject: { patterns: ['assertion_weakening'], files: ['a.test.ts'], originalError: null },
    available: ['claude', 'codex'],
    maxAttempts: 3,
    restarts: false,
    usedUp: false,
    ...more,
  };
}

/** A recovery after so many more attempts, each with its facts. */
function recoveryAfter(...attempts: readonly Partial<Facts>[]): Recovery {
  let open = decideRecovery(facts({ uncured: UNCURED }));
  for (const [index, more] of attempts.entries())
    open = decideRecovery(facts({ open, iteration: index + 3, ...more }));
  if (open === null) throw new Error('there is no recovery');
  return open;
}

const adaptation = (recovery: Recovery) => recovery.tries.at(-1)?.adaptation ?? null;
const diagnosis = (recovery: Recovery) => recovery.tries.at(-1)?.diagnosis;

describe('a recovery', () => {
  it('begins with a finding that was not cured; with no attempt left, without an adaptation', () => {
    expect(decideRecovery(facts())).toBeNull();
    const last = decideRecovery(facts({ uncured: UNCURED, usedUp: true }));
    expect(last?.tries).toMatchObject([{ adaptation: null }]);
    const begun = recoveryAfter();
    expect(begun).toMatchObject({ issue: 'avoidance', severity: 'high', ended: null, maxAttempts: 3 });
    expect(failedTries(begun)).toBe(0);
  });

  it.each<[string, Partial<Facts>, number]>([
    ['a failed attempt', {}, 1],
    ['another failure', { findings: [], verdict: { kind: 'gates_failed', gates: ['test'] } }, 1],
    ['progress', { findings: [], verdict: { kind: 'progress' } }, 0],
    ['progress with the finding', { verdict: { kind: 'progress' } }, 1],
    ['progress whose work is set aside', { findings: [], verdict: { kind: 'progress' }, restarts: true }, 1],
    [
      'changes that reviewers ask for',
      { findings: [], verdict: { kind: 'changes_requested', roles: [] } },
      0,
    ],
  ])('counts %s', (_what, more, expected) => {
    expect(failedTries(recoveryAfter(more))).toBe(expected);
  });

  it('changes the prompt, then the agent, then the scope; after that nothing is left', () => {
    const [first, second, third, fourth] = [
      recoveryAfter(),
      recoveryAfter({}),
      recoveryAfter({}, {}),
      recoveryAfter({}, {}, {}),
    ].map(adaptation);
    expect(first).toMatchObject({ attempt: 1, agent: null, scope: [], timeoutFactor: 1 });
    expect(first?.prompt).toContain('Iteration 2 (claude): Checks were made weaker.');
    expect(second).toMatchObject({ attempt: 2, agent: 'codex', scope: [] });
    expect(third).toMatchObject({ attempt: 3, scope: ['a.test.ts'] });
    expect(fourth).toBeNull();
  });

  it('takes the agent that worked least often, and none where there is no other', () => {
    const three = { available: ['claude', 'codex', 'gemini'] };
    expect(adaptation(recoveryAfter(three))?.agent).toBe('codex');
    expect(adaptation(recoveryAfter(three, { ...three, agent: 'codex' }))?.agent).toBe('gemini');
    expect(adaptation(recoveryAfter({ available: ['claude'] }))?.agent).toBeNull();
  });

  it('gives more time for each attempt that ran out of it, and lifts lowered limits', () => {
    const late: Partial<Facts> = { findings: [], verdict: { kind: 'timed_out', which: 'wall', afterMs: 1 } };
    expect(adaptation(recoveryAfter(late, late))?.timeoutFactor).toBe(2.25);
    const limited: Verdict = { kind: 'review_blocked', why: 'limit_crossed', message: '' };
    expect(adaptation(recoveryAfter({ findings: [], verdict: limited }))?.liftLimits).toBe(true);
  });

  it('is over without another attempt', () => {
    const over = ended(recoveryAfter({}), 'recovered', '2026-01-02T00:00:00.000Z');
    expect(over.ended).toEqual({ how: 'recovered', at: '2026-01-02T00:00:00.000Z' });
    expect(adaptation(over)).toBeNull();
  });
});

describe('the diagnosis', () => {
  it.each<[string, Partial<Facts>, string]>([
    ['avoided work before all', { failedGates: ['test'] }, 'avoidance'],
    ['gates', { findings: [], failedGates: ['test'] }, 'gates'],
    ['a claim', { findings: [] }, 'false_claim'],
    ['no work', { findings: [], verdict: { kind: 'no_files', completionClaimed: false } }, 'no_work'],
    ['time', { findings: [], verdict: { kind: 'timed_out', which: 'idle', afterMs: 1 } }, 'timeout'],
    ['the agent', { findings: [], verdict: { kind: 'agent_error', message: '' } }, 'agent'],
  ])('%s', (_what, more, cause) => {
    expect(diagnosis(recoveryAfter(more))?.cause).toBe(cause);
  });

  it('is as sure as the detection, times the share of attempts that failed so', () => {
    const gates: Partial<Facts> = { findings: [], failedGates: ['test'] };
    const late: Partial<Facts> = { findings: [], verdict: { kind: 'timed_out', which: 'wall', afterMs: 1 } };
    expect(diagnosis(recoveryAfter())?.confidence).toBe(0.85);
    expect(diagnosis(recoveryAfter({}))?.confidence).toBe(0.85);
    expect(diagnosis(recoveryAfter(gates))?.confidence).toBe(0.5);
    expect(diagnosis(recoveryAfter(gates, late))?.confidence).toBe(0.33);
  });
});

describe('two attempts that are the same', () => {
  it.each<[string, Partial<Facts>, Partial<Facts>, boolean]>([
    ['one failure', { failure: 'test: adds' }, { failure: 'test: adds' }, true],
    ['two failures', { failure: 'test: adds' }, { failure: 'test: divides' }, false],
    ['one tree', { tree: 'a' }, { tree: 'a' }, true],
    ['two trees', { tree: 'a' }, { tree: 'b' }, false],
    ['nothing known', {}, {}, false],
  ])('%s', (_what, first, second, expected) => {
    expect(isLoop(recoveryAfter(first, second))).toBe(expected);
  });

  it("the attempt that began it isn't one of them", () => {
    const open = decideRecovery(facts({ uncured: UNCURED, failure: 'x', tree: 'a' }));
    const next = decideRecovery(facts({ open, failure: 'x', tree: 'a' }));
    expect(next !== null && isLoop(next)).toBe(false);
  });
});

it('a gate that passed the second time is known of the last attempt', () => {
  expect(flakyGates(recoveryAfter({ flaky: ['test'] }))).toEqual(['test']);
  expect(flakyGates(recoveryAfter({ flaky: ['test'] }, {}))).toEqual([]);
});

it('never has more attempts than it may, and each but the last has a next one', () => {
  const attempt = fc.record({
    usedUp: fc.boolean(),
    failure: fc.constantFrom('', 'a', 'b'),
    findings: fc.constantFrom(['avoidance'], []),
  });
  fc.assert(
    fc.property(
      fc.array(attempt, { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      (attempts, maxAttempts) => {
        let open = decideRecovery(facts({ uncured: UNCURED, maxAttempts }));
        for (const more of attempts) {
          if (adaptation(open as Recovery) === null) break;
          open = decideRecovery(facts({ open, maxAttempts, ...more }));
        }
        const recovery = open as Recovery;
        expect(failedTries(recovery)).toBeLessThanOrEqual(maxAttempts);
        expect(recovery.tries.slice(0, -1).every((one) => one.adaptation !== null)).toBe(true);
      },
    ),
  );
});
