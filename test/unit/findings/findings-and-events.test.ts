import * as fc from 'fast-check';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it, test } from 'vitest';
import { Finding } from '../../../src/domain/findings/finding.ts';
import type { EventDraft } from '../../../src/domain/records/event.ts';
import { VERDICT_COUNTING } from '../../../src/domain/verdict.ts';
import { detectFindings, eventsFor, type VerdictInput } from '../../../src/proof/findings/index.ts';
import { anyAttempt } from './arbitrary-attempt.ts';
import {
  attempt,
  BLOCKED_CLAIM,
  CONFIG_EDIT,
  changeSet,
  check,
  DONE_CLAIM,
  decideVerdict,
  FAILED,
  judgement,
  NO_CLAIM,
  NO_GATES,
  REPORT,
  TRACKER_EDIT,
} from './facts.ts';

const NONE = changeSet();
const WRITES = { ...NO_CLAIM, claimsWrites: true };
const LIMIT = { kind: 'rate_limited' as const, message: 'weekly limit', resetsAt: null };
const TIMED_OUT = { kind: 'timed_out' as const, which: 'idle' as const, afterMs: 1000 };
const REQUIRED = { status: 'failed' as const, judgements: [judgement('test', 'required_failed')] };

function eventsOf(facts: VerdictInput): EventDraft[] {
  const { verdict, cause } = decideVerdict(facts);
  const findings = detectFindings(facts);
  return eventsFor({
    attempt: facts,
    agent: 'claude',
    findings,
    verdict,
    cause,
    remediationAttempted: true,
    unavailable: null,
  });
}

const CASES: readonly [name: string, facts: Partial<VerdictInput>, findings: string[], events: string[]][] = [
  ['good work', { claim: DONE_CLAIM }, [], []],
  ['progress', {}, [], []],
  ['nothing written', { changes: NONE }, ['no_files low'], ['no_files_detected warning']],
  [
    'nothing written, claimed',
    { changes: NONE, claim: DONE_CLAIM },
    ['no_files medium', 'false_completion medium'],
    ['no_files_detected critical', 'false_completion_detected critical'],
  ],
  [
    'nothing written, claimed and described',
    { changes: NONE, claim: { ...DONE_CLAIM, claimsWrites: true } },
    ['no_files medium', 'false_completion medium', 'evidence_missing low'],
    [
      'no_files_detected critical',
      'false_completion_detected critical',
      'evidence_validation_failed warning',
    ],
  ],
  [
    'nothing to write for a verification',
    { changes: NONE, claim: DONE_CLAIM, task: { ...EMPTY_TASK, kind: 'verify' } },
    [],
    [],
  ],
  [
    'only the tracker edited, claimed',
    { changes: changeSet('fix_plan.md'), tampering: [TRACKER_EDIT], claim: DONE_CLAIM },
    ['no_files medium', 'false_completion medium'],
    ['no_files_detected critical', 'false_completion_detected critical'],
  ],
  [
    'configuration edited',
    { tampering: [TRACKER_EDIT, CONFIG_EDIT] },
    ['state_tampering critical'],
    ['state_tampering critical'],
  ],
  [
    'writes described, none named',
    { claim: WRITES },
    ['evidence_missing low'],
    ['evidence_validation_failed info'],
  ],
  [
    'prose contradicted',
    { claim: DONE_CLAIM, evidence: [check('z.ts', 'contradicted', 'prose')] },
    ['evidence_missing low'],
    ['evidence_validation_failed warning'],
  ],
  [
    'block contradicted',
    { claim: DONE_CLAIM, evidence: [check('z.ts', 'contradicted'), check('y.ts', 'contradicted')] },
    ['false_completion medium', 'evidence_missing low'],
    ['false_completion_detected warning', 'evidence_validation_failed warning'],
  ],
  [
    'evidence unconfirmed',
    { claim: { ...DONE_CLAIM, claimsWrites: true }, evidence: [check('z.ts', 'unconfirmed')] },
    [],
    [],
  ],
  [
    'the tracker as evidence',
    { tampering: [TRACKER_EDIT], evidence: [check('fix_plan.md', 'contradicted')] },
    [],
    [],
  ],
  [
    'acceptance unmet',
    { claim: DONE_CLAIM, unmet: ['x'] },
    ['false_completion medium'],
    ['false_completion_detected warning'],
  ],
  ['acceptance unmet, not claimed', { unmet: ['x'] }, [], []],
  [
    'a gate regresses, claimed',
    { claim: DONE_CLAIM, gateReport: FAILED },
    ['false_completion medium', 'gate_regression medium'],
    ['false_completion_detected warning', 'gate_regression warning'],
  ],
  [
    'a gate regresses',
    { gateReport: FAILED },
    ['gate_regression medium'],
    ['gate_regression warning', 'attempt_failed warning'],
  ],
  ['a required gate fails', { gateReport: REQUIRED }, [], ['attempt_failed warning']],
  ['out of time', { end: TIMED_OUT, changes: NONE, claim: WRITES }, [], ['attempt_failed warning']],
  [
    'out of time, claimed',
    { end: TIMED_OUT, changes: NONE, claim: DONE_CLAIM },
    ['false_completion medium'],
    ['false_completion_detected critical', 'attempt_failed warning'],
  ],
  [
    'exit 1, nothing written',
    { end: { kind: 'exited', code: 1 }, changes: NONE },
    [],
    ['attempt_failed warning'],
  ],
  ['reports failure', { report: { ...REPORT, ok: false }, changes: NONE }, [], ['attempt_failed warning']],
  ['blocked, nothing written', { claim: BLOCKED_CLAIM, changes: NONE, gateReport: NO_GATES }, [], []],
  [
    'a usage limit',
    { report: { ...REPORT, infrastructure: LIMIT }, changes: NONE, claim: DONE_CLAIM },
    [],
    [],
  ],
  [
    'interrupted',
    { end: { kind: 'interrupted', signal: 'SIGINT', forced: false }, changes: NONE, claim: DONE_CLAIM },
    [],
    [],
  ],
  ['not started', { end: { kind: 'spawn_failed', code: 'ENOENT', message: '' }, changes: NONE }, [], []],
];

describe('findings and events', () => {
  it.each(CASES)('%s', (_name, rest, findings, events) => {
    const facts = attempt(rest);
    expect(detectFindings(facts).map((one) => `${one.type} ${one.severity}`)).toEqual(findings);
    expect(eventsOf(facts).map((one) => `${one.event_type} ${one.severity}`)).toEqual(events);
  });
});

describe('a finding', () => {
  it.each<[Partial<VerdictInput>, object]>([
    [{ changes: NONE }, { type: 'no_files', confidence: 1, impactFactor: 0, details: { write_calls: 1 } }],
    [
      { claim: DONE_CLAIM, unmet: ['x'] },
      {
        type: 'false_completion',
        confidence: 1,
        impactFactor: 0.2,
        details: { reasons: ['acceptance is unmet: x'] },
      },
    ],
    [
      { evidence: [check('z.ts', 'contradicted'), check('a.ts', 'confirmed')] },
      {
        type: 'evidence_missing',
        confidence: 0.8,
        impactFactor: 0,
        details: {
          contradicted: [{ path: 'z.ts', why: 'z.ts is contradicted' }],
          confirmed: 1,
          unconfirmed: 0,
        },
      },
    ],
    [
      { gateReport: FAILED },
      { type: 'gate_regression', confidence: 1, impactFactor: 0.3, details: { gates: ['test'] } },
    ],
    [
      { tampering: [CONFIG_EDIT] },
      { type: 'state_tampering', severity: 'critical', confidence: 1, impactFactor: 1 },
    ],
  ])('%# carries its weight and its facts', (rest, expected) => {
    const [first] = detectFindings(attempt(rest));
    expect(first).toMatchObject({ taskId: 'E1-02', iteration: 7, ...expected });
    expect(Finding.safeParse(first).success).toBe(true);
  });
});

describe('an event', () => {
  it('has the documented keys first, in their order', () => {
    const [event] = eventsOf(attempt({ changes: NONE, claim: DONE_CLAIM }));
    expect(JSON.stringify(event?.details)).toMatch(
      /^\{"task_id":"E1-02","agent":"claude","agent_return_code":0,"exit_signal_claimed":true,"files_written":0,"evidence_count":0,/,
    );
    expect(event?.remediation_attempted).toBe(true);
  });

  it('does not count protected files as written', () => {
    const facts = attempt({ changes: changeSet('ralph.toml', 'a.ts'), tampering: [CONFIG_EDIT] });
    expect(eventsOf(facts)[0]?.details).toMatchObject({ files_written: 1 });
  });

  it('stands for the first of several findings of its type', () => {
    const facts = attempt({ changes: NONE });
    const { verdict, cause } = decideVerdict(facts);
    const [first] = detectFindings(facts);
    if (first === undefined) throw new Error('no finding');
    const findings = [first, { ...first, summary: 'again' }];
    const events = eventsFor({
      attempt: facts,
      unavailable: null,
      agent: 'x',
      findings,
      verdict,
      cause,
      remediationAttempted: false,
    });
    expect(events).toHaveLength(1);
    expect(events[0]?.details).toMatchObject({ summary: first.summary });
  });

  it('of a failed attempt gives verdict and cause', () => {
    const [event] = eventsOf(attempt({ end: TIMED_OUT }));
    expect(event?.details).toMatchObject({
      task_id: 'E1-02',
      agent_return_code: null,
      agent_end: 'timed_out',
      verdict: 'timed_out',
      cause: 'The agent was stopped after 1.0 s without a sign of life.',
    });
  });
});

describe('whatever the facts', () => {
  test('findings and events are there once each, and every failed attempt has an event with its task', () => {
    fc.assert(
      fc.property(anyAttempt, (facts) => {
        const types = detectFindings(facts).map((one) => one.type);
        expect(new Set(types).size).toBe(types.length);
        const events = eventsOf(facts);
        expect(new Set(events.map((one) => one.event_type)).size).toBe(events.length);
        for (const event of events) expect(event.details).toMatchObject({ task_id: 'E1-02' });
        const { verdict } = decideVerdict(facts);
        if (VERDICT_COUNTING[verdict.kind].failedAttempt) expect(events.length).toBeGreaterThan(0);
        if (verdict.kind === 'no_files') expect(types).toContain('no_files');
        if (verdict.kind === 'false_completion') expect(types).toContain('false_completion');
        if (verdict.kind === 'done') expect(types).not.toContain('false_completion');
      }),
      { numRuns: 1000 },
    );
  });

  test('a failed attempt has an event even when no finding is handed over', () => {
    fc.assert(
      fc.property(anyAttempt, (facts) => {
        const { verdict, cause } = decideVerdict(facts);
        const events = eventsFor({
          attempt: facts,
          unavailable: null,
          agent: 'x',
          findings: [],
          verdict,
          cause,
          remediationAttempted: false,
        });
        const counted = events.filter(({ severity }) => severity !== 'info');
        expect(counted.length).toBe(VERDICT_COUNTING[verdict.kind].failedAttempt ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });
});
