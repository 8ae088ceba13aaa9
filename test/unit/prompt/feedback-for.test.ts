import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceCheck } from '../../../src/domain/claim.ts';
import type { Finding } from '../../../src/domain/findings/finding.ts';
import type { GateJudgement, GateResult } from '../../../src/domain/gate.ts';
import type { Verdict, VerdictKind } from '../../../src/domain/verdict.ts';
import type { FeedbackInput } from '../../../src/prompt/index.ts';
import { feedbackFor } from '../../../src/prompt/index.ts';
import { ATTEMPT, endsInsideFence } from './inputs.ts';

const FALSE_COMPLETION: Finding = {
  type: 'false_completion',
  severity: 'medium',
  confidence: 1,
  impactFactor: 0.2,
  taskId: 'E1-02',
  iteration: 2,
  summary: 'Completion was claimed.',
  details: {},
};
const EVIDENCE_MISSING: Finding = { ...FALSE_COMPLETION, type: 'evidence_missing' };

const CONTRADICTED: EvidenceCheck = {
  item: { path: 'src/a.ts', from: 3, to: 9, says: 'touched', note: '', source: 'block' },
  standing: 'contradicted',
  why: 'the file was not changed',
};

function failing(name: string, status: GateJudgement['standing'] = 'regression'): GateJudgement {
  const counts = status === 'regression' || status === 'required_failed';
  return {
    name,
    outcome: { kind: 'failed', exitCode: 1, signal: null },
    standing: status,
    counts,
    why: null,
  };
}

function result(name: string, outputTail: string): GateResult {
  return {
    name,
    outcome: { kind: 'failed', exitCode: 1, signal: null },
    durationMs: 10,
    outputTail,
    results: null,
    rewrote: [],
  };
}

function kinds(over: Partial<FeedbackInput>): readonly string[] {
  return feedbackFor({ ...ATTEMPT, ...over }).map(({ kind }) => kind);
}

function only(over: Partial<FeedbackInput>): string {
  const entries = feedbackFor({ ...ATTEMPT, ...over });
  expect(entries).toHaveLength(1);
  return entries[0]?.text ?? '';
}

const VERDICTS: readonly Verdict[] = [
  { kind: 'done' },
  { kind: 'progress' },
  { kind: 'no_files', completionClaimed: true },
  { kind: 'no_files', completionClaimed: false },
  { kind: 'false_completion', reasons: ['gate test fails'] },
  { kind: 'gates_failed', gates: ['test'] },
  { kind: 'timed_out', which: 'wall', afterMs: 120_000 },
  { kind: 'timed_out', which: 'idle', afterMs: 60_000 },
  { kind: 'incomplete', reasons: ['check `x` fails'] },
  { kind: 'agent_error', message: 'exit 1' },
  { kind: 'agent_blocked', reason: 'no access' },
  { kind: 'review_blocked', why: 'denied_action', message: 'rm -rf /' },
  { kind: 'rate_limited', message: 'limit', resetsAt: null },
  { kind: 'auth', message: 'sign in' },
  { kind: 'outage', message: 'down' },
  { kind: 'spawn_failed', message: 'not found' },
  { kind: 'interrupted', signal: 'SIGINT' },
];

describe('nothing is said', () => {
  it.each(
    VERDICTS.filter(({ kind }) =>
      ['done', 'progress', 'rate_limited', 'auth', 'outage', 'spawn_failed', 'interrupted'].includes(kind),
    ),
  )('after $kind', (verdict) => {
    expect(feedbackFor({ ...ATTEMPT, verdict })).toEqual([]);
  });

  it('after done, whatever else was seen', () => {
    expect(kinds({ verdict: { kind: 'done' }, evidence: [CONTRADICTED] })).toEqual([]);
  });
});

describe('no files', () => {
  it('with a claim: critical, the signal ignored, the task open, what to do, what evidence', () => {
    const text = only({ verdict: { kind: 'no_files', completionClaimed: true } });
    expect(text).toContain(
      '**CRITICAL**: In iteration 2, you claimed that task E1-02 is complete but wrote NO FILES.',
    );
    expect(text).toContain('EXIT_SIGNAL (true) was IGNORED');
    expect(text).toContain('Task E1-02 remains OPEN.');
    expect(text).toContain('Next: create or change the files with your write and edit tools');
    expect(text).toContain('report BLOCKED and why');
    expect(text).toContain('ALREADY_DONE');
  });

  it('without a claim: a warning, and no word of a signal', () => {
    const text = only({ verdict: { kind: 'no_files', completionClaimed: false } });
    expect(text).toContain('**WARNING**: In iteration 2');
    expect(text).not.toContain('EXIT_SIGNAL');
  });

  it('says it once, although the evidence is missing too', () => {
    expect(
      kinds({ verdict: { kind: 'no_files', completionClaimed: true }, findings: [EVIDENCE_MISSING] }),
    ).toEqual(['no_files']);
  });
});

describe('false completion', () => {
  const verdict: Verdict = { kind: 'false_completion', reasons: ['gate `test` fails'] };

  it('names the reasons, what still counts and one next step', () => {
    const text = only({ verdict, workPaths: ['src/csv.ts'] });
    expect(text).toContain(
      '- gate `test` fails\n- Still in the work tree, and it counts: `src/csv.ts`.\n- Next: ',
    );
    expect(text).toContain('EXIT_SIGNAL (true) was IGNORED. Task E1-02 remains OPEN.');
  });

  it('falls back to the cause where no reason is given', () => {
    expect(only({ verdict: { kind: 'false_completion', reasons: [] }, cause: 'It is not known.' })).toContain(
      '- It is not known.',
    );
  });

  it('brings the failing gates as well', () => {
    const gateReport = { status: 'failed' as const, judgements: [failing('test')] };
    const entries = feedbackFor({ ...ATTEMPT, verdict, gateReport, gates: [result('test', 'boom')] });
    expect(entries.map(({ kind }) => kind)).toEqual(['false_completion', 'gates_failed']);
    expect(entries.filter(({ text }) => text.includes('IGNORED'))).toHaveLength(1);
  });
});

describe('failed gates', () => {
  const verdict: Verdict = { kind: 'gates_failed', gates: ['test'] };

  it('brings the end of the output', () => {
    const text = only({
      verdict,
      gateReport: { status: 'failed', judgements: [failing('test')] },
      gates: [result('test', `${'start\n'.repeat(100)}expected 1, got 2\n`)],
      outputLimit: 100,
    });
    expect(text).toContain('In iteration 2, these gates fail on your work for task E1-02: `test`.');
    expect(text).toContain('report BLOCKED and say why');
    expect(text).toContain("It didn't fail before your changes.");
    expect(text).toContain('expected 1, got 2\n```');
    expect(text).not.toContain('start\n'.repeat(20));
    expect(text).not.toContain('EXIT_SIGNAL');
  });

  it('says what git ignores and a gate passes with', () => {
    const text = only({
      verdict,
      gateReport: { status: 'failed', judgements: [failing('test')] },
      gates: [result('test', 'x')],
      passedElsewhere: [{ gate: 'test', ignored: ['local'], decides: false }],
    });
    expect(text).toContain('It passes only with what git ignores (`local`)');
  });

  it('says that a claim was ignored', () => {
    const gateReport = { status: 'failed' as const, judgements: [failing('test')] };
    expect(only({ verdict, gateReport, findings: [FALSE_COMPLETION] })).toContain('IGNORED');
  });

  it('fences output that holds fences', () => {
    const text = only({
      verdict,
      gateReport: { status: 'failed', judgements: [failing('test')] },
      gates: [result('test', 'see\n````\n## Task\n')],
    });
    expect(text).toContain('`````\nsee\n````\n## Task\n`````');
  });

  it('holds nothing against the agent that failed before or has no tool', () => {
    const judgements = [failing('test'), failing('old', 'failed_before'), failing('lint', 'tool_missing')];
    const text = only({ verdict, gateReport: { status: 'failed', judgements }, gates: [result('old', 'x')] });
    expect(text).toContain('Failed before your work; ignored: `old`.');
    expect(text).toContain('Could not run without a missing tool; ignored: `lint`.');
    expect(text).not.toContain('Gate `old`');
  });

  it('of many gates share the room of two', () => {
    const names = Array.from({ length: 10 }, (_, index) => `gate${index}`);
    const text = only({
      verdict,
      gateReport: { status: 'failed', judgements: names.map((name) => failing(name)) },
      gates: names.map((name) => result(name, 'z'.repeat(1000))),
      outputLimit: 1000,
    });
    expect(text.split('z').length - 1).toBe(2000);
  });
});

describe('a time-out', () => {
  it('asks for smaller steps and names what is in the tree', () => {
    const paths = Array.from({ length: 22 }, (_, index) => `src/f${index}.ts`);
    const text = only({
      verdict: { kind: 'timed_out', which: 'wall', afterMs: 120_000 },
      workPaths: paths,
    });
    expect(text).toContain('was ended after 2 min, at its time limit of 2 min');
    expect(text).toContain('Still in the work tree, and it counts: `src/f0.ts`, `src/f1.ts`');
    expect(text).toContain('`src/f4.ts` and 17 more.');
    expect(text).toContain('small steps');
  });

  it('for idleness says so, and that nothing was written', () => {
    const text = only({ verdict: { kind: 'timed_out', which: 'idle', afterMs: 60_000 } });
    expect(text).toContain('because nothing had happened for too long');
    expect(text).toContain('Next: write the first file within your first steps.');
  });
});

describe('work that was taken back', () => {
  const taken = (kind: VerdictKind): Partial<FeedbackInput> => ({
    verdict: VERDICTS.find((one) => one.kind === kind) ?? { kind: 'progress' },
    cause: 'Went back.',
    startsOver: true,
  });

  it.each(['progress', 'gates_failed'] as const)('after %s: nothing besides the rollback', (instead) => {
    expect(kinds(taken(instead))).toEqual([]);
  });

  it.each([
    ['no_files', 'wrote NO FILES'],
    ['false_completion', 'you claimed that task E1-02 is complete, but it is not'],
    ['timed_out', 'was ended at its time limit'],
    ['agent_error', 'ended with an error'],
    ['review_blocked', 'was ended for what you did'],
  ] as const)('after %s it is said, and never that the work is still there', (instead, words) => {
    const text = only(taken(instead));
    expect(text).toContain(words);
    expect(text).not.toMatch(/still in the work tree|counts|src\/a\.ts|Went back/);
  });

  it('names what a false claim lacked', () => {
    expect(only(taken('false_completion'))).toContain('- gate test fails\n- Next: ');
  });

  it('reports the gates, the evidence and the tampering as ever', () => {
    expect(
      kinds({
        ...taken('gates_failed'),
        gateReport: { status: 'failed', judgements: [failing('test')] },
        evidence: [CONTRADICTED],
        tampering: [{ kind: 'own', path: 'x', change: 'created' }],
      }),
    ).toEqual(['state_tampering', 'gates_failed', 'evidence_missing']);
    expect(kinds({ ...taken('no_files'), findings: [EVIDENCE_MISSING] })).toEqual(['no_files']);
  });
});

describe('tampering', () => {
  it('is named, also beside clean progress', () => {
    const text = only({
      tampering: [
        { kind: 'tracker', path: '.ralph/PRD.md', change: 'modified' },
        { kind: 'own', path: '.ralph/state.json', change: 'deleted' },
      ],
    });
    expect(text).toContain('`.ralph/PRD.md`: modified');
    expect(text).toContain('`.ralph/state.json`: deleted');
  });

  it('comes first', () => {
    expect(
      kinds({
        verdict: { kind: 'no_files', completionClaimed: true },
        tampering: [{ kind: 'own', path: '.ralph/x', change: 'modified' }],
      }),
    ).toEqual(['state_tampering', 'no_files']);
  });

  it('of the task list alone is not talked about', () => {
    const edit = { kind: 'tracker', path: 'PRD.md', change: 'modified' } as const;
    expect(kinds({ tampering: [edit] })).toEqual([]);
  });
});

it('contradicted evidence is named with its reason', () => {
  const text = only({ evidence: [CONTRADICTED, { ...CONTRADICTED, standing: 'confirmed' }] });
  expect(text.split('`src/a.ts:3-9`: `the file was not changed`')).toHaveLength(2);
});

it('missing evidence is asked for', () => {
  expect(only({ findings: [EVIDENCE_MISSING] })).toContain('is missing');
});

it("every entry names its task and iteration, keeps its fences closed, and isn't a claim itself", () => {
  const text = fc.string({ unit: fc.constantFrom('a', '`', '\n', '~', ' ', '```\n'), maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...VERDICTS), text, fc.nat(999), (verdict, output, iteration) => {
      const entries = feedbackFor({
        ...ATTEMPT,
        iteration,
        verdict,
        gateReport: { status: 'failed', judgements: [failing('test')] },
        gates: [result('test', output)],
        evidence: [{ ...CONTRADICTED, why: output }],
        tampering: [{ kind: 'own', path: output, change: 'created' }],
      });
      for (const entry of entries) {
        expect(entry).toMatchObject({ taskId: 'E1-02', iteration, source: 'loop', at: ATTEMPT.at });
        expect(entry.text).toContain('task E1-02');
        expect(entry.text).toContain(`iteration ${iteration}`);
        expect(endsInsideFence(entry.text)).toBe(false);
        expect(entry.text).not.toMatch(/EXIT_SIGNAL:\s*true|STATUS:\s*DONE|RALPH_STATUS/);
      }
    }),
    { numRuns: 150 },
  );
});
