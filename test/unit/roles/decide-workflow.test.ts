import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import {
  NEW_WORKFLOW,
  type ReviewFinding,
  type Role,
  type RoleRun,
  type WorkflowFacts,
} from '../../../src/domain/workflow/roles.ts';
import {
  decideWorkflow,
  planners,
  replacementFor,
  reviewerPrompt,
  reviewers,
  wantsAdversary,
} from '../../../src/respond/roles/index.ts';
import { NO_POLICY_AT_START } from '../../helpers/policy.ts';
import { finding, many } from './observations.ts';

const answerOf = (verdict: string, ...findings: ReviewFinding[]) =>
  JSON.stringify({ nonce: 'n', verdict, findings: findings.map(({ ...one }) => one) });

function run(role: Role, text: string, over: Partial<RoleRun> = {}): RoleRun {
  const turn = {
    end: { kind: 'exited' as const, code: 0 },
    ...{
      durationMs: 10,
      sessionId: null,
      model: null,
      trouble: null,
      outside: null,
      usage: [],
      text,
      promptSha256: '',
      nonce: 'n',
    },
  };
  return {
    ...{ number: 1, role, phase: 'check', agent: 'a', model: null, replaced: false, adversarial: false },
    ...{ turns: [turn], reads: ['src/a.ts'], wroteInCopy: [], budget: NO_POLICY_AT_START.budget },
    ...over,
  };
}

function facts(runs: readonly RoleRun[], over: Partial<WorkflowFacts> = {}): WorkflowFacts {
  return {
    ...{ kind: 'standard', maxCycles: 3, seats: [], plan: null, diff: '', planMs: 0, checkMs: 60_000 },
    files: [{ path: 'src/a.ts', added: 300, removed: 0 }],
    ...{ undone: [], lessons: [], deferred: [], cleanUp: null, commands: ['npm test'] },
    ...over,
    runs: runs.map((one, at) => ({ ...one, number: at + 1 })),
  };
}

function decide(runs: readonly RoleRun[], over: Partial<Parameters<typeof decideWorkflow>[0]> = {}) {
  return decideWorkflow({
    workflow: facts(runs),
    before: null,
    task: { text: 'Add a limit', expectedPaths: [] },
    ...{ changed: ['src/a.ts'], commits: 0, doMs: 1000, gatesPassed: true, isComplete: true },
    ...over,
  });
}

const guardian = (...findings: ReviewFinding[]) =>
  run('guardian', answerOf('CHANGES_REQUESTED', ...findings));
const sage = run('sage', answerOf('APPROVED'));

describe('the verdict of reviewers', () => {
  it('nothing speaks against work that all approve', () => {
    expect(decide([run('guardian', answerOf('APPROVED')), sage])).toMatchObject({
      rejected: null,
      parked: null,
    });
  });

  it('one that asks for changes is enough', () => {
    const decided = decide([guardian(finding()), sage]);
    expect(decided.rejected).toEqual({ roles: ['guardian'], why: 'guardian asked for changes' });
    expect(decided.parked).toBeNull();
  });

  it("an approval of what is critical doesn't count", () => {
    const decided = decide([run('guardian', answerOf('APPROVED', finding({ severity: 'CRITICAL' }))), sage]);
    expect(decided.rejected?.roles).toEqual(['guardian']);
  });

  it('never makes more of work that gates reject', () => {
    const decided = decide([run('guardian', answerOf('APPROVED')), sage], { isComplete: false });
    expect(decided.rejected).toBeNull();
  });

  it.each(['APPROVED', '', `${answerOf('APPROVED')}${answerOf('APPROVED')}`, 'x'.repeat(70_000)])(
    'no valid answer is a failed review, and waits for you: %.12s',
    (text) => {
      const decided = decide([run('guardian', text), sage]);
      expect(decided.rejected?.roles).toEqual(['guardian']);
      expect(decided.parked).toMatch(/^No review: the review by guardian failed/);
    },
  );

  it('the answer of the agent that replaced one counts', () => {
    const decided = decide([
      run('guardian', 'no'),
      run('guardian', answerOf('APPROVED'), { replaced: true }),
      sage,
    ]);
    expect(decided.rejected).toBeNull();
  });

  it('of a guardian that looked again, both answers count', () => {
    const again = run('guardian', answerOf('CHANGES_REQUESTED', finding()), { adversarial: true });
    expect(decide([run('guardian', answerOf('APPROVED')), sage, again]).rejected?.roles).toEqual([
      'guardian',
    ]);
  });

  it.each([['guardian'], ['sage']] as const)(
    "no answer of a %s that was not started isn't an approval",
    (role) => {
      const others = [run('guardian', answerOf('APPROVED')), sage].filter((one) => one.role !== role);
      const decided = decide(others);
      expect(decided.rejected?.roles).toEqual([role]);
      expect(decided.parked).toContain(`the review by ${role} failed (it was not started)`);
    },
  );

  it("a cycle that was cut off doesn't count", () => {
    expect(decide([guardian(finding()), sage]).next.cycles).toBe(1);
    expect(decide([guardian(finding())], { isComplete: false }).next.cycles).toBe(0);
  });

  it('waits for you after max_cycles, not one before', () => {
    const cyclesDone = (cycles: number) => ({ ...NEW_WORKFLOW, cycles });
    expect(decide([guardian(finding()), sage], { before: cyclesDone(1) }).parked).toBeNull();
    expect(decide([guardian(finding()), sage], { before: cyclesDone(2) }).parked).toBe(
      'guardian still asked for changes after 3 cycles.',
    );
  });
});

describe('findings for the maker', () => {
  const levels = (all: readonly { readonly finding: ReviewFinding }[]) =>
    all.map((one) => one.finding.severity);
  const [info, warning, critical] = (['INFO', 'WARNING', 'CRITICAL'] as const).map((severity) =>
    finding({ severity, claim: `about ${severity.toLowerCase()} things` }),
  ) as [ReviewFinding, ReviewFinding, ReviewFinding];

  it('come with the worst first, and INFO waits', () => {
    const { findings, parkedFindings } = decide([guardian(info, warning, critical), sage]);
    expect(levels(findings)).toEqual(['CRITICAL', 'WARNING']);
    expect(levels(parkedFindings)).toEqual(['INFO']);
  });

  it('that two reviewers have are one', () => {
    const both = decide([guardian(warning), run('sage', answerOf('CHANGES_REQUESTED', warning))]);
    expect(both.findings).toHaveLength(1);
  });

  it('WARNINGs of approved work are put off, and counted', () => {
    expect(decide([run('guardian', answerOf('APPROVED', warning, info)), sage])).toMatchObject({
      findings: [],
      deferred: 1,
    });
  });
});

describe('the protocol', () => {
  const root = guardian(finding({ claim: 'An attacker who already has root can read it' }));

  it('corrects, replaces, and asks you', () => {
    let before = NEW_WORKFLOW;
    const steps = many(3, () => {
      const decided = decide([root, sage], { before, workflow: facts([root, sage], { maxCycles: 9 }) });
      before = decided.next;
      return decided;
    });
    expect(steps.map(({ escalations }) => escalations.map(({ step }) => step))).toEqual([
      ['correct'],
      ['replace'],
      ['person'],
    ]);
    expect(steps.map(({ next }) => next.replaced)).toEqual([
      [],
      [{ role: 'guardian', times: 1 }],
      [{ role: 'guardian', times: 1 }],
    ]);
    expect(steps.map(({ parked }) => parked)).toEqual([
      null,
      null,
      'guardian:paranoid for the third time: re-scope the task.',
    ]);
    expect(before.corrections.map(({ role }) => role)).toEqual(['guardian']);
  });

  it('counts that a correction helped when the sign is gone', () => {
    const first = decide([root, sage]).next;
    const { score, next } = decide([guardian(finding()), sage], { before: first });
    expect(score.actions).toEqual([{ issue: 'guardian:paranoid', step: 'correct', applied: 0, helped: 1 }]);
    expect(next.corrections).toEqual([]);
  });

  it('a shadow of the system pauses the run the second time', () => {
    const quick = [run('guardian', answerOf('APPROVED'), { reads: [] }), { ...sage, reads: [] }];
    const workflow = facts(quick, { checkMs: 10 });
    const first = decide(quick, { workflow });
    expect(first).toMatchObject({ pause: null, rejected: null });
    expect(decide(quick, { workflow, before: first.next }).pause).toBe('echo_chamber was found 2 times.');
  });
});

it('everyone who approved unseen within seconds makes the guardian look again', () => {
  const runs = [run('guardian', answerOf('APPROVED'), { reads: [] }), { ...sage, reads: [] }];
  const files = facts(runs).files;
  expect(wantsAdversary(runs, 29_999, files)).toBe(true);
  expect(wantsAdversary(runs, 30_000, files)).toBe(false);
  expect(wantsAdversary([runs[0] as RoleRun, guardian(finding())], 10, files)).toBe(false);
});

describe('who works', () => {
  it('no other role in solo', () => {
    expect(planners('solo', null)).toEqual([]);
    expect(reviewers('solo', true)).toEqual([]);
  });

  it('plans are made once, without an explorer after too much research', () => {
    expect(planners('thorough', null)).toEqual(['explorer', 'creator']);
    expect(planners('thorough', { ...NEW_WORKFLOW, plan: { text: 'x', files: [] } })).toEqual([]);
    const issue = {
      layer: 'system',
      issue: 'analysis_paralysis',
      times: 1,
      step: 'correct',
      isOpen: true,
    } as const;
    expect(planners('thorough', { ...NEW_WORKFLOW, issues: [issue] })).toEqual(['creator']);
  });

  it('nothing but complete work is reviewed', () => {
    expect(reviewers('standard', false)).toEqual([]);
    expect(reviewers('thorough', true)).toEqual(['guardian', 'skeptic', 'trickster', 'sage']);
  });

  it('a replacement is another agent or model, where there is one', () => {
    const a = { agent: 'a', model: null };
    const b = { agent: 'a', model: 'small' };
    expect(replacementFor(a, [a, b], 0)).toEqual({ chosen: a, isAnother: false });
    expect(replacementFor(a, [a, b], 1)).toEqual({ chosen: b, isAnother: true });
    expect(replacementFor(a, [a], 1)).toEqual({ chosen: a, isAnother: false });
  });
});

describe('a review that a cause outside of the work kept from being made', () => {
  const OUTAGE = { kind: 'outage', message: '529 overloaded' } as const;
  const cutOff = (role: Role) => {
    const one = run(role, '');
    return { ...one, turns: one.turns.map((turn) => ({ ...turn, trouble: 'overloaded', outside: OUTAGE })) };
  };
  const failing = (role: Role) => run(role, 'no answer');
  const asking = (role: Role) => run(role, answerOf('CHANGES_REQUESTED', finding()));
  const approving = (role: Role) => run(role, answerOf('APPROVED'));

  it.each<[string, readonly RoleRun[], { outside: boolean; parked: boolean; cycles: number }]>([
    [
      'one, and one approves',
      [cutOff('guardian'), approving('sage')],
      { outside: true, parked: false, cycles: 0 },
    ],
    ['both', [cutOff('guardian'), cutOff('sage')], { outside: true, parked: false, cycles: 0 }],
    [
      'one, and one failed',
      [cutOff('guardian'), failing('sage')],
      { outside: false, parked: true, cycles: 1 },
    ],
    ['one, and one asks', [cutOff('guardian'), asking('sage')], { outside: false, parked: false, cycles: 1 }],
    [
      'one, and another agent stood in',
      [cutOff('guardian'), approving('guardian'), approving('sage')],
      { outside: false, parked: false, cycles: 1 },
    ],
    ['one, and one was not started', [cutOff('guardian')], { outside: false, parked: true, cycles: 1 }],
  ])('%s', (_, runs, { outside, parked, cycles }) => {
    const decided = decide(runs);
    expect(decided.outside).toEqual(outside ? OUTAGE : null);
    expect([decided.parked !== null, decided.next.cycles]).toEqual([parked, cycles]);
    expect(decided.next.reviews.every(({ verdict }) => verdict !== null)).toBe(!parked);
  });

  it('counts no shadow of the system: what corrects it was cut off, too', () => {
    const unseen = [approving('guardian'), approving('sage')].map((one) => ({ ...one, reads: [] }));
    const again = { ...cutOff('guardian'), adversarial: true };
    const issuesOf = (runs: readonly RoleRun[], isComplete: boolean) =>
      decide(runs, { workflow: facts(runs, { checkMs: 10 }), isComplete }).next.issues.length;
    expect(issuesOf([...unseen, again], true)).toBe(0);
    // You or the budget ended the attempt while its work was reviewed.
    expect(issuesOf(unseen, false)).toBe(0);
    expect(issuesOf(unseen, true)).toBe(1);
  });

  it('is nothing where the work is not complete', () => {
    expect(decide([cutOff('guardian')], { isComplete: false })).toMatchObject({
      outside: null,
      parked: null,
    });
  });
});

it('a template of your own gets what a reviewer can not do without', () => {
  const prompt = reviewerPrompt(
    {
      facts: { task: { ...EMPTY_TASK, id: 'T-1', title: 'x' }, taskState: { workflow: null } },
      inputs: {
        constraints: [],
        roleTemplates: { sage: '# Mine\n\n{{task_id}}\n\n## Plan\n\n{{plan}}\n' },
      },
    },
    { role: 'sage', adversarial: false, plan: null, diff: '+a', files: [] },
    'abc',
  );
  expect(prompt).toContain('# Mine\n\nT-1');
  expect(prompt).not.toContain('## Plan');
  expect(prompt).toContain('```diff\n+a\n```');
  expect(prompt).toContain('exactly one JSON block');
  expect(prompt).toContain('"nonce": "abc"');
});
