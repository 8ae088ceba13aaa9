import * as fc from 'fast-check';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it, test } from 'vitest';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import type { VerdictInput } from '../../../src/proof/findings/index.ts';
import { commandRun } from '../../helpers/facts.ts';
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

const VERIFY = { ...EMPTY_TASK, id: 'V1', kind: 'verify' as const };
const RESEARCH = { ...EMPTY_TASK, id: 'R1', kind: 'research' as const };
const NONE = changeSet();
const LIMIT = { kind: 'rate_limited' as const, message: 'weekly limit', resetsAt: '2026-01-20T20:35:00Z' };
const AUTH = { kind: 'auth' as const, message: 'invalid key', resetsAt: null };
const OUTAGE = { kind: 'outage' as const, message: '503', resetsAt: null };
const TIMED_OUT = { kind: 'timed_out' as const, which: 'wall' as const, afterMs: 120_000 };
const UNFINISHED = { ...NO_CLAIM, status: 'in_progress' as const, exitSignal: false };
const SKIPPED = { status: 'passed' as const, judgements: [judgement('test', 'skipped')] };

describe('work that conflicts with what landed meanwhile', () => {
  const conflict = { tasks: ['T-2'], paths: ['src/a.ts'], locks: [] };
  it.each(['claim', 'gates', 'unchecked'] as const)('is done again, with completion = "%s"', (completion) => {
    const { verdict, cause } = decideVerdict(attempt({ claim: DONE_CLAIM, completion, conflict }));
    expect(verdict).toEqual({ kind: 'conflict', tasks: ['T-2'] });
    expect(cause).toContain('T-2: both change src/a.ts');
  });

  it('names the gates that fail with both alone, and your commits where no task is to blame', () => {
    const red = { tasks: [], paths: [], locks: [] };
    const { cause } = decideVerdict(attempt({ claim: DONE_CLAIM, conflict: red, clashes: [commandRun()] }));
    expect(cause).toContain('what you committed meanwhile: each passes alone, and together "test" fails');
  });

  it('says why a lock file of both could not be made anew', () => {
    const locks = [{ path: 'uv.lock', reason: "uv isn't installed" }];
    const { cause } = decideVerdict(
      attempt({ claim: DONE_CLAIM, conflict: { tasks: ['T-2'], paths: ['uv.lock'], locks } }),
    );
    expect(cause).toContain("both change uv.lock; uv.lock can't be made anew: uv isn't installed.");
  });
});

describe('only tests changed', () => {
  const tests = changeSet('test/date.test.ts', 'test/fixtures/a.json');
  const verdictOf = (task: Partial<typeof EMPTY_TASK>, rest: Partial<VerdictInput> = {}) =>
    decideVerdict(
      attempt({
        ...{ task: { ...EMPTY_TASK, id: 'T1', ...task }, claim: DONE_CLAIM, changes: tests },
        ...rest,
      }),
    ).verdict.kind;

  it.each([
    ['Add month() to src/date.ts', {}],
    ['Fix rounding in total()', {}],
    ['Implement the parser', { description: 'All tests pass.' }],
    ['Handle leap years', { description: '`npm test` is green.' }],
    ['Add month()', { expectedPaths: ['src/date.ts', 'test/date.test.ts'] }],
  ])('"%s" is not done', (title, rest) => {
    expect(verdictOf({ title, ...rest })).toBe('incomplete');
    expect(verdictOf({ title, ...rest }, { changes: changeSet('src/date.ts') })).toBe('done');
    expect(verdictOf({ title, ...rest }, { changes: changeSet('src/date.ts', 'test/date.test.ts') })).toBe(
      'done',
    );
  });

  it.each<[string, Partial<typeof EMPTY_TASK>]>([
    ['Add tests for month()', {}],
    ['Cover the parser', {}],
    ['Fix the flaky checkout', {}],
    ['Fix the failing build', {}],
    ['Correct TypeScript errors', {}],
    ['Write a spec for login', {}],
    ['Add month()', { description: 'A test of it is missing.' }],
    ['Add month()', { expectedPaths: ['test/date.test.ts'] }],
    ['Look at the calendar', {}],
    ['Add month()', { kind: 'verify' }],
  ])('"%s" can be done', (title, rest) => {
    expect(verdictOf({ title, ...rest })).toBe('done');
  });

  it('waits for you where the agent says that the code was there before', () => {
    const claim = { ...DONE_CLAIM, status: 'already_done' as const };
    const evidence = [check('src/date.ts', 'confirmed')];
    expect(verdictOf({ title: 'Add month()' }, { claim, evidence })).toBe('already_done');
    expect(verdictOf({ title: 'Add month()' }, { claim })).toBe('incomplete');
    // The exit signal speaks of work that is done now, so it doesn't count for what was done before.
    const without = { ...claim, completion: false, exitSignal: false };
    expect(verdictOf({ title: 'Add month()' }, { claim: without, evidence })).toBe('already_done');
  });
});

describe('the table of verdicts', () => {
  it.each<[string, Partial<VerdictInput>, VerdictKind]>([
    ['claimed, files, gates pass', { claim: DONE_CLAIM }, 'done'],
    ['claimed, files, no gate', { claim: DONE_CLAIM, gateReport: NO_GATES }, 'done'],
    [
      'claimed with confirmed evidence',
      { claim: DONE_CLAIM, evidence: [check('src/a.ts', 'confirmed')] },
      'done',
    ],
    [
      'claimed with unconfirmed evidence',
      { claim: DONE_CLAIM, evidence: [check('src/z.ts', 'unconfirmed')] },
      'done',
    ],
    [
      'claimed, prose contradicted',
      { claim: DONE_CLAIM, evidence: [check('src/z.ts', 'contradicted', 'prose')] },
      'done',
    ],
    [
      'claimed, block contradicted',
      { claim: DONE_CLAIM, evidence: [check('src/z.ts', 'contradicted')] },
      'false_completion',
    ],
    ['claimed, acceptance unmet', { claim: DONE_CLAIM, unmet: ['x'] }, 'false_completion'],
    ['claimed, gates fail', { claim: DONE_CLAIM, gateReport: FAILED }, 'gates_failed'],
    [
      'claimed, gates fail, block contradicted',
      { claim: DONE_CLAIM, gateReport: FAILED, evidence: [check('z.ts', 'contradicted')] },
      'gates_failed',
    ],
    ['claimed, nothing written', { claim: DONE_CLAIM, changes: NONE, gateReport: NO_GATES }, 'no_files'],
    ['claimed, nothing written, gates pass', { claim: DONE_CLAIM, changes: NONE }, 'no_files'],
    [
      'claimed, only an empty commit',
      { claim: DONE_CLAIM, changes: { ...NONE, commits: [{ id: 'c1', subject: 'done' }] } },
      'no_files',
    ],
    [
      'claimed, only the tracker edited',
      { claim: DONE_CLAIM, changes: changeSet('fix_plan.md'), tampering: [TRACKER_EDIT] },
      'no_files',
    ],
    [
      'claimed, only configuration edited',
      { claim: DONE_CLAIM, changes: changeSet('ralph.toml'), tampering: [CONFIG_EDIT] },
      'no_files',
    ],
    [
      'claimed, files and the tracker edited',
      { claim: DONE_CLAIM, changes: changeSet('a.ts', 'fix_plan.md'), tampering: [TRACKER_EDIT] },
      'done',
    ],
    [
      'the tracker as evidence, put back',
      { claim: DONE_CLAIM, tampering: [TRACKER_EDIT], evidence: [check('fix_plan.md', 'contradicted')] },
      'done',
    ],
    ['no claim, files', {}, 'progress'],
    ['no claim, files, gates fail', { gateReport: FAILED }, 'gates_failed'],
    ['no claim, nothing written', { changes: NONE }, 'no_files'],
    ['says it is not finished', { claim: UNFINISHED }, 'progress'],
    ['no claim, block contradicted', { evidence: [check('z.ts', 'contradicted')] }, 'progress'],
    ['gates decide: they pass', { completion: 'gates' }, 'done'],
    ['gates decide: nothing written', { completion: 'gates', changes: NONE }, 'no_files'],
    ['gates decide: none ran', { completion: 'gates', gateReport: NO_GATES }, 'progress'],
    ['gates decide: all were skipped', { completion: 'gates', gateReport: SKIPPED }, 'progress'],
    ['gates decide: they fail', { completion: 'gates', gateReport: FAILED }, 'gates_failed'],
    [
      'gates decide: the agent says it is not finished',
      { completion: 'gates', claim: UNFINISHED },
      'progress',
    ],
    ['gates decide: acceptance unmet', { completion: 'gates', unmet: ['x'] }, 'progress'],
    [
      'gates decide: block contradicted',
      { completion: 'gates', evidence: [check('z.ts', 'contradicted')] },
      'progress',
    ],
    [
      'verify: claimed without files',
      { task: VERIFY, claim: DONE_CLAIM, changes: NONE, gateReport: NO_GATES },
      'done',
    ],
    [
      'research: claimed without files',
      { task: RESEARCH, claim: DONE_CLAIM, changes: NONE, gateReport: NO_GATES },
      'done',
    ],
    ['verify: no claim, no files', { task: VERIFY, changes: NONE, gateReport: NO_GATES }, 'progress'],
    ['verify: claimed, gates fail', { task: VERIFY, claim: DONE_CLAIM, gateReport: FAILED }, 'gates_failed'],
    [
      'verify: claimed, block contradicted',
      { task: VERIFY, claim: DONE_CLAIM, changes: NONE, evidence: [check('z.ts', 'contradicted')] },
      'false_completion',
    ],
    ['says it is blocked', { claim: BLOCKED_CLAIM, changes: NONE }, 'agent_blocked'],
    ['says it is blocked, having written files', { claim: BLOCKED_CLAIM }, 'agent_blocked'],
    ['blocked, but EXIT_SIGNAL true', { claim: { ...DONE_CLAIM, status: 'blocked' } }, 'done'],
    ['exit 1', { end: { kind: 'exited', code: 1 }, claim: DONE_CLAIM }, 'agent_error'],
    [
      'exit 1 and says it is blocked',
      { end: { kind: 'exited', code: 1 }, claim: BLOCKED_CLAIM },
      'agent_error',
    ],
    ['killed', { end: { kind: 'signalled', signal: 'SIGKILL' }, claim: DONE_CLAIM }, 'agent_error'],
    [
      'exit 0, but it reports failure',
      { report: { ...REPORT, ok: false }, claim: DONE_CLAIM },
      'agent_error',
    ],
    ['a usage limit', { report: { ...REPORT, infrastructure: LIMIT }, changes: NONE }, 'rate_limited'],
    [
      'a usage limit, exit 1',
      { report: { ...REPORT, ok: false, infrastructure: LIMIT }, end: { kind: 'exited', code: 1 } },
      'rate_limited',
    ],
    ['not signed in', { report: { ...REPORT, infrastructure: AUTH }, changes: NONE }, 'auth'],
    ['an outage', { report: { ...REPORT, infrastructure: OUTAGE }, changes: NONE }, 'outage'],
    ['stopped for its time, files written', { end: TIMED_OUT }, 'timed_out'],
    ['stopped for its time, nothing written', { end: TIMED_OUT, changes: NONE }, 'timed_out'],
    ['stopped for its time, having claimed', { end: TIMED_OUT, claim: DONE_CLAIM }, 'timed_out'],
    ['stopped for silence', { end: { ...TIMED_OUT, which: 'idle' } }, 'timed_out'],
    [
      'interrupted',
      { end: { kind: 'interrupted', signal: 'SIGINT', forced: false }, claim: DONE_CLAIM },
      'interrupted',
    ],
    [
      'not started',
      { end: { kind: 'spawn_failed', code: 'ENOENT', message: 'no such file.' }, changes: NONE },
      'spawn_failed',
    ],
  ])('%s', (_name, facts, expected) => {
    expect(decideVerdict(attempt(facts)).verdict.kind).toBe(expected);
  });
});

describe('what the verdict carries', () => {
  it.each<[Partial<VerdictInput>, object]>([
    [
      { claim: DONE_CLAIM, changes: NONE },
      { kind: 'no_files', completionClaimed: true },
    ],
    [{ changes: NONE }, { kind: 'no_files', completionClaimed: false }],
    [{ gateReport: FAILED }, { kind: 'gates_failed', gates: ['test'] }],
    [{ end: TIMED_OUT }, { kind: 'timed_out', which: 'wall', afterMs: 120_000 }],
    [{ claim: BLOCKED_CLAIM }, { kind: 'agent_blocked', reason: 'no key.' }],
    [{ claim: { ...BLOCKED_CLAIM, reason: null } }, { kind: 'agent_blocked', reason: 'no reason given' }],
    [{ report: { ...REPORT, infrastructure: LIMIT } }, LIMIT],
    [
      { end: { kind: 'interrupted', signal: 'SIGINT', forced: true } },
      { kind: 'interrupted', signal: 'SIGINT' },
    ],
    [
      { end: { kind: 'exited', code: 3 }, report: { ...REPORT, errors: ['first', 'last'] } },
      { kind: 'agent_error', message: 'exit code 3: last' },
    ],
    [
      { claim: DONE_CLAIM, unmet: ['u'], evidence: [check('z.ts', 'contradicted')] },
      {
        kind: 'false_completion',
        reasons: ['acceptance is unmet: u', 'evidence is contradicted: z.ts is contradicted'],
      },
    ],
  ])('%#', (facts, expected) => {
    expect(decideVerdict(attempt(facts)).verdict).toEqual(expected);
  });
});

it('a secret in a long line of an error is not cut before it is found', () => {
  const token = `ghp_${'kX92mQ7vLp4RtYw83NzBc61HsDfGjE05UaTo'}`;
  const errorTail = `Error: ${'x'.repeat(270)} ${token}`;
  const { verdict } = decideVerdict(
    attempt({
      end: { kind: 'exited', code: 3 },
      report: { ...REPORT, finalMessage: '', toolCalls: 0 },
      errorTail,
      changes: NONE,
    }),
  );
  expect(verdict).toMatchObject({ kind: 'agent_error', message: expect.stringContaining('Error: xxx') });
  expect(JSON.stringify(verdict)).not.toContain(token.slice(0, 8));
});

describe('the cause, in one sentence with the values seen', () => {
  it.each<[Partial<VerdictInput>, string]>([
    [{ claim: DONE_CLAIM }, '2 files changed, test passes.'],
    [{ completion: 'gates' }, 'The gates passed and decide alone; 2 files changed.'],
    [
      { changes: changeSet('a.ts') },
      '1 file changed, completion is not claimed: the agent ended without the status block.',
    ],
    [{ changes: NONE, claim: DONE_CLAIM }, 'The agent finished and claimed completion, but changed no file.'],
    [
      { changes: changeSet('fix_plan.md'), tampering: [TRACKER_EDIT] },
      'The agent finished and changed no file. Its changes to protected files do not count.',
    ],
    [
      { gateReport: FAILED, claim: DONE_CLAIM },
      'Gate "test" failed (exit 1); 2 files changed. Not accepted as done.',
    ],
    [
      {
        ...{ gateReport: FAILED, claim: DONE_CLAIM },
        passedElsewhere: [{ gate: 'test', ignored: ['local', 'a.pyc'], decides: false }],
      },
      'Gate "test" failed (exit 1), and passes only with what git ignores: local, a.pyc; 2 files changed. Not accepted as done.',
    ],
    [{ claim: DONE_CLAIM, unmet: ['u'] }, 'Completion was claimed, but acceptance is unmet: u.'],
    [{ end: TIMED_OUT }, 'The agent was stopped after 2 min, its timeout.'],
    [{ claim: BLOCKED_CLAIM }, 'The agent says it is blocked: no key.'],
    [
      { report: { ...REPORT, infrastructure: LIMIT } },
      'The agent reached a usage limit: weekly limit. It resets at 2026-01-20T20:35:00Z.',
    ],
  ])('%#', (facts, expected) => {
    expect(decideVerdict(attempt(facts)).cause).toBe(expected);
  });
});

test('an attempt that adds nothing to the work of its series is judged by that', () => {
  const series = { changes: changeSet('src/a.ts'), idleChanges: [] };
  const kind = (facts: Partial<VerdictInput>) =>
    decideVerdict(attempt({ changes: NONE, series, ...facts })).verdict.kind;
  expect(kind({ claim: DONE_CLAIM })).toBe('done');
  expect(kind({})).toBe('progress');
  expect(kind({ claim: DONE_CLAIM, gateReport: FAILED })).toBe('gates_failed');
  expect(kind({ claim: DONE_CLAIM, unmet: ['x'] })).toBe('false_completion');
  expect(kind({ claim: DONE_CLAIM, series: { changes: NONE, idleChanges: [] } })).toBe('no_files');
});

describe('whatever the facts', () => {
  test('a build task of whose attempts nothing is left is never done', () => {
    fc.assert(
      fc.property(anyAttempt, (facts) => {
        const series = { changes: NONE, idleChanges: [] };
        const empty: VerdictInput = {
          ...facts,
          task: { ...facts.task, kind: 'build' },
          changes: NONE,
          series,
        };
        expect(decideVerdict(empty).verdict.kind).not.toBe('done');
        expect(decideVerdict(empty).verdict.kind).not.toBe('progress');
      }),
      { numRuns: 1000 },
    );
  });

  test('done needs a claim or passing gates, no failing gate, nothing unmet and nothing contradicted', () => {
    fc.assert(
      fc.property(anyAttempt, (facts) => {
        if (decideVerdict(facts).verdict.kind !== 'done') return;
        expect(facts.end).toEqual({ kind: 'exited', code: 0 });
        expect(facts.claim.completion || facts.completion === 'gates').toBe(true);
        expect(facts.gateReport.status).not.toBe('failed');
        expect(facts.unmet).toEqual([]);
        const put = new Set(facts.tampering.map((entry) => entry.path));
        const denied = facts.evidence.filter(
          ({ item, standing: status }) =>
            status === 'contradicted' && item.source === 'block' && !put.has(item.path),
        );
        expect(denied).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('equal facts give equal decisions, with a sentence', () => {
    fc.assert(
      fc.property(anyAttempt, (facts) => {
        const decision = decideVerdict(facts);
        expect(decideVerdict(structuredClone(facts))).toEqual(decision);
        expect(decision.cause).toMatch(/^[A-Z0-9].*\.$/);
      }),
      { numRuns: 200 },
    );
  });
});
