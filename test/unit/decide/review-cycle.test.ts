import { describe, expect, it } from 'vitest';
import { reviewCycle } from '../../../src/decide/policy-after.ts';
import type { Escalation } from '../../../src/domain/workflow/escalation.ts';
import type { ReviewFinding } from '../../../src/domain/workflow/roles.ts';

const finding = (claim: string, more: Partial<ReviewFinding> = {}) => ({
  role: 'guardian' as const,
  finding: {
    ...{ category: 'security', severity: 'WARNING' as const, file: 'src/a.ts', line: 3, claim },
    ...{ repro: null, fix: null, alternative: null, ...more },
  },
});
/** What an agent's end showed, however many signs of it there were. */
const shown = (issue: string): Escalation => ({
  ...{ layer: issue.includes(':') ? 'role' : 'system', issue, times: 1, step: 'correct', asks: '' },
});
const answers = [
  {
    number: 1,
    role: 'guardian' as const,
    answer: { verdict: 'APPROVED' as const, findings: [] },
    failure: null,
  },
];
const cycle = (findings: ReturnType<typeof finding>[], escalations: Escalation[] = []) =>
  reviewCycle('T-1', 2, { answers, findings, escalations });
const keys = (...findings: ReturnType<typeof finding>[]) => cycle(findings)?.findings.map(({ key }) => key);

describe('a cycle of reviews', () => {
  it('has what the reviewers found', () => {
    expect(cycle([finding('The token is logged', { severity: 'CRITICAL' })])).toMatchObject({
      ...{ taskId: 'T-1', cycle: 2, kind: 'review', shadows: [] },
      findings: [{ severity: 'critical', summary: 'The token is logged' }],
    });
  });

  it('knows a finding again on another line and with its words in another order', () => {
    expect(keys(finding('The token is logged'))).toEqual(keys(finding('Logged: the token!', { line: 9 })));
  });

  it.each([
    ['in another file', finding('The token is logged', { file: 'src/b.ts' })],
    ['of another category', finding('The token is logged', { category: 'tests' })],
    ['that says something else', finding('The token never expires')],
  ])('distinguishes one %s', (_, other) => {
    expect(keys(finding('The token is logged'))).not.toEqual(keys(other));
  });

  it('counts each shadow once for each end of an agent that showed it', () => {
    const ends = [shown('guardian:paranoid'), shown('guardian:paranoid'), shown('echo_chamber')];
    expect(cycle([], ends)?.shadows).toEqual([
      { role: 'guardian', shadow: 'paranoid', times: 2 },
      { role: 'echo_chamber', shadow: 'echo_chamber', times: 1 },
    ]);
  });

  it("doesn't exist without a review, or where no review was valid", () => {
    const failed = [{ number: 1, role: 'guardian' as const, answer: null, failure: 'no JSON' }];
    expect(reviewCycle('T-1', 1, null)).toBeNull();
    expect(reviewCycle('T-1', 1, { answers: failed, findings: [], escalations: [] })).toBeNull();
  });
});
