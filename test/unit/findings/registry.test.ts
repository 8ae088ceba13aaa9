import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Finding } from '../../../src/domain/findings/finding.ts';
import { FINDING_TYPES } from '../../../src/domain/findings/index.ts';
import { EventDraft } from '../../../src/domain/records/event.ts';
import type { Tampering } from '../../../src/domain/records/iteration.ts';
import type { ReviewFacts } from '../../../src/domain/review.ts';
import {
  type Attempt,
  DETECTORS,
  type Detector,
  detectFindings,
  eventsFor,
} from '../../../src/proof/findings/index.ts';
import { NO_ACTIONS } from '../../helpers/reviewing.ts';
import { anyAttempt } from './arbitrary-attempt.ts';
import { attempt, changeSet, decideVerdict, TRACKER_EDIT } from './facts.ts';

/** A detector that is not built in: it takes offence at a file called `todo.txt`. */
const TODO: Detector = {
  type: 'left_todo',
  detect: ({ changes }) =>
    changes.changes.some(({ path }) => path === 'todo.txt')
      ? { severity: 'medium', summary: 'A to-do list was left.', details: { path: 'todo.txt' } }
      : null,
};
const LIMIT = { kind: 'rate_limited' as const, message: 'weekly', resetsAt: null };
const OUTSIDE: Partial<Attempt> = { report: { ...attempt().report, infrastructure: LIMIT } };
const types = (findings: readonly Finding[]) => findings.map(({ type }) => type);

describe('the registry', () => {
  it('has a detector for each built-in type, in the order of the list', () => {
    expect(DETECTORS.map(({ type }) => type)).toEqual(FINDING_TYPES);
  });

  it('takes detectors that are not built in', () => {
    const facts = attempt({ changes: changeSet('todo.txt') });
    expect(detectFindings(facts)).toEqual([]);
    const [one, ...more] = detectFindings(facts, [...DETECTORS, TODO]);
    expect(more).toEqual([]);
    expect(one).toEqual({
      type: 'left_todo',
      severity: 'medium',
      confidence: 0.8,
      impactFactor: 0.3,
      taskId: 'E1-02',
      iteration: 7,
      summary: 'A to-do list was left.',
      details: { path: 'todo.txt' },
    });
    expect(detectFindings(attempt(), [...DETECTORS, TODO])).toEqual([]);
  });

  it('gives everything critical its full weight', () => {
    const own: Detector = {
      type: 'own',
      detect: () => ({ severity: 'critical', summary: 's', details: {} }),
    };
    expect(detectFindings(attempt(), [own])).toMatchObject([{ confidence: 1, impactFactor: 1 }]);
  });

  it('raises each type once', () => {
    const facts = attempt({ changes: changeSet('todo.txt') });
    expect(detectFindings(facts, [TODO, TODO])).toHaveLength(1);
  });

  it('asks only those that are marked for it about an attempt that was cut short from outside', () => {
    const facts = attempt({ ...OUTSIDE, changes: changeSet('todo.txt') });
    expect(detectFindings(facts, [TODO])).toEqual([]);
    expect(detectFindings(facts, [{ ...TODO, whenCutShort: true }])).toHaveLength(1);
    expect(DETECTORS.filter(({ whenCutShort }) => whenCutShort).map(({ type }) => type)).toEqual([
      'gate_regression',
      'critical_security_violation',
      'state_tampering',
      'unreviewed_action',
      'action_denied',
    ]);
  });
});

describe("what the user's detectors found", () => {
  const extra: Finding = {
    ...{ type: 'slow_query', severity: 'high', confidence: 0.7, impactFactor: 0.2, taskId: 'E1-02' },
    ...{ iteration: 7, summary: 'A query is slow.', details: { task_id: 'not mine', ms: 900 } },
  };

  it('comes last, and never as a second of its type', () => {
    const facts = attempt({
      changes: changeSet(),
      extraFindings: [
        { ...extra, type: 'no_files', severity: 'critical' },
        extra,
        { ...extra, severity: 'low' },
      ],
    });
    const findings = detectFindings(facts);
    expect(types(findings)).toEqual(['no_files', 'slow_query']);
    expect(findings.map(({ severity }) => severity)).toEqual(['low', 'high']);
  });

  it('does not count where the attempt was cut short from outside', () => {
    expect(detectFindings(attempt({ ...OUTSIDE, extraFindings: [extra] }))).toEqual([]);
  });

  it.each([
    ['low', 'info'],
    ['medium', 'warning'],
    ['high', 'warning'],
    ['critical', 'critical'],
  ] as const)('of severity %s is an event of severity %s, with its issue', (severity, expected) => {
    const facts = attempt({
      extraFindings: [
        { ...extra, severity },
        { ...extra, type: 'other' },
      ],
    });
    const events = eventsFor({
      ...{ attempt: facts, agent: 'x', findings: detectFindings(facts), remediationAttempted: true },
      unavailable: null,
      ...decideVerdict(facts),
    });
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      event_type: 'pattern_detected',
      severity: expected,
      details: { task_id: 'E1-02', issue: 'slow_query', details: { task_id: 'not mine', ms: 900 } },
    });
    expect(events[1]).toMatchObject({ event_type: 'pattern_detected', details: { issue: 'other' } });
  });
});

describe('what the agent may not touch', () => {
  const edit = (kind: Tampering['kind'], path: string): Tampering => ({ ...TRACKER_EDIT, kind, path });
  it.each<[Tampering['kind'], string, string]>([
    ['config', '.ralph/ralph.toml', 'critical'],
    ['config', 'ralph.toml', 'critical'],
    ['own', '.ralph/gates/decisions.log', 'critical'],
    ['own', '.ralph/whitelists/global.json', 'critical'],
    ['config', '.ralph/FEEDBACK.md', 'high'],
    ['config', '.ralph/PROMPT_build.md', 'high'],
    ['config', '.ralph/notes.txt', 'high'],
    ['own', '.ralph/journal.jsonl', 'high'],
    ['own', '.ralph/state.json', 'high'],
    ['own', '.ralph', 'high'],
    ['own', '.ralph/run.lock', 'high'],
  ])('%s %s is %s', (kind, path, severity) => {
    expect(detectFindings(attempt({ tampering: [TRACKER_EDIT, edit(kind, path)] }))).toMatchObject([
      { type: 'state_tampering', severity },
    ]);
  });

  it("an action that wasn't allowed is high for the controller, and critical on screen", () => {
    const review: ReviewFacts = {
      ...NO_ACTIONS,
      allowed: 1,
      unreviewed: { tool: 'Bash', action: 'Bash make it so', failed: false },
    };
    const facts = attempt({ review });
    const findings = detectFindings(facts);
    expect(findings).toMatchObject([
      { type: 'unreviewed_action', severity: 'high', confidence: 1, impactFactor: 1 },
    ]);
    const events = eventsFor({
      attempt: facts,
      agent: 'x',
      findings,
      ...decideVerdict(facts),
      remediationAttempted: true,
      unavailable: null,
    });
    expect(events).toMatchObject([{ event_type: 'unreviewed_action', severity: 'critical' }]);
  });
});

describe('a planted credential', () => {
  const credentials = [
    { path: 'src/a.ts', line: 3, kind: 'GitHub token', commit: null },
    { path: 'b.env', line: 1, kind: 'AWS access key', commit: null },
  ];
  it.each<[string, Partial<Attempt>]>([
    ['after a whole attempt', {}],
    ['after one that was cut short', OUTSIDE],
  ])('is critical %s', (_, rest) => {
    expect(detectFindings(attempt({ ...rest, credentials }))).toMatchObject([
      {
        type: 'critical_security_violation',
        severity: 'critical',
        confidence: 1,
        impactFactor: 1,
        summary: 'A credential was written into src/a.ts:3 (GitHub token) (and 1 more).',
        details: { credentials, count: 2 },
      },
    ]);
  });

  it('names the commit that has it', () => {
    const one = { path: 'dist/k.js', line: 3, kind: 'npm token', commit: 'a'.repeat(40) };
    expect(detectFindings(attempt({ credentials: [one] }))[0]?.summary).toBe(
      'A credential was written into dist/k.js:3 of commit aaaaaaaaaa (npm token).',
    );
  });

  it('finds nothing where there is none', () => {
    expect(detectFindings(attempt({ credentials: [] }))).toEqual([]);
  });
});

test('a rollback is explained by the issue that it answers', () => {
  const facts = attempt({ credentials: [{ path: 'a', line: 1, kind: 'k', commit: null }] });
  const findings = detectFindings(facts);
  const count = (issue: string) =>
    eventsFor({
      ...{ attempt: facts, agent: 'x', findings, cause: 'c', remediationAttempted: true },
      unavailable: null,
      verdict: { kind: 'rolled_back', checkpoint: 'r/1', issue, instead: 'progress' },
    }).length;
  expect(count('critical_security_violation')).toBe(1);
  expect(count('goal_drift')).toBe(2);
});

test('whatever the facts, findings and events have their documented form', () => {
  fc.assert(
    fc.property(anyAttempt, (facts) => {
      const findings = detectFindings(facts);
      const order = types(findings).map((type) => FINDING_TYPES.indexOf(type as 'no_files'));
      expect(order).toEqual(order.toSorted((one, other) => one - other));
      for (const finding of findings) {
        expect(Finding.safeParse(finding).success).toBe(true);
        expect(finding.summary).toMatch(/^[A-Z].*\.$/s);
      }
      const { verdict, cause } = decideVerdict(facts);
      for (const event of eventsFor({
        attempt: facts,
        agent: 'x',
        findings,
        verdict,
        cause,
        remediationAttempted: false,
        unavailable: null,
      })) {
        expect(EventDraft.safeParse(event).success).toBe(true);
      }
      expect(detectFindings(structuredClone(facts))).toEqual(findings);
    }),
    { numRuns: 500 },
  );
});
