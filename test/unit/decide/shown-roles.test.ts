import { describe, expect, it } from 'vitest';
import { shownRoles } from '../../../src/decide/index.ts';
import type { ReviewFinding, Role, RoleRun, WorkflowDecisions } from '../../../src/domain/workflow/roles.ts';
import { NO_POLICY_AT_START } from '../../helpers/policy.ts';
import { finding } from '../roles/observations.ts';

const run = (number: number, role: Role, more: Partial<RoleRun> = {}): RoleRun => ({
  ...{ number, role, phase: 'check', agent: 'a', model: 'm', replaced: false, adversarial: false },
  ...{ reads: [], wroteInCopy: [], budget: NO_POLICY_AT_START.budget, turns: [] },
  ...more,
});
const answer = (number: number, role: Role, ...findings: ReviewFinding[]) => ({
  ...{ number, role, failure: null, answer: { verdict: 'CHANGES_REQUESTED' as const, findings } },
});

describe('what became of findings', () => {
  const [one, two, three] = ['off by one', 'names are unclear', 'no bounds'].map((claim) =>
    finding({ claim }),
  ) as [ReviewFinding, ReviewFinding, ReviewFinding];

  it('is said of each: for the maker, put off, said by another, or not used', () => {
    const decisions: Pick<WorkflowDecisions, 'answers' | 'findings' | 'parkedFindings'> = {
      answers: [answer(1, 'guardian', three), answer(2, 'guardian', one, two), answer(3, 'sage', one)],
      findings: [{ role: 'guardian', finding: one }],
      parkedFindings: [{ role: 'guardian', finding: two }],
    };
    const shown = shownRoles(
      { runs: [run(1, 'guardian'), run(2, 'guardian', { replaced: true }), run(3, 'sage')] },
      decisions,
      {},
    );
    const fates = shown.map(({ role, findings }) => [role, findings.map(({ fate }) => fate)]);
    expect(fates).toEqual([
      ['guardian', ['not_used']],
      ['guardian', ['fix_now', 'put_off']],
      ['sage', ['known']],
    ]);
  });

  it('a guardian that looked again keeps what it found first', () => {
    const [first] = shownRoles(
      { runs: [run(1, 'guardian'), run(2, 'guardian', { adversarial: true })] },
      {
        answers: [answer(1, 'guardian', one), answer(2, 'guardian', two)],
        findings: [{ role: 'guardian', finding: one }],
        parkedFindings: [],
      },
      {},
    );
    expect(first?.findings.map(({ fate }) => fate)).toEqual(['fix_now']);
  });
});
