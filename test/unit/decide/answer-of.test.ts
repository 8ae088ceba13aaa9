import { describe, expect, it } from 'vitest';
import { decideIteration } from '../../../src/decide/decide-iteration.ts';
import { answerOf } from '../../../src/decide/index.ts';
import type { CommandRun } from '../../../src/domain/command-run.ts';
import type { FoundAvoidance } from '../../../src/domain/findings/avoidance.ts';
import type { GateOutcome } from '../../../src/domain/gate.ts';
import type { GateBaseline } from '../../../src/domain/gate-baseline.ts';
import type { ProofFacts } from '../../../src/domain/proof-run.ts';
import type { IterationFacts } from '../../../src/domain/records/iteration.ts';
import { commandRun } from '../../helpers/facts.ts';
import { results } from '../../helpers/results.ts';
import { DONE_CLAIM } from '../findings/facts.ts';
import { baseline } from '../gates/inputs.ts';
import { recordedRun } from '../replay/recorded-run.ts';

const PASSED: GateOutcome = { kind: 'passed' };
const FAILED: GateOutcome = { kind: 'failed', exitCode: 1, signal: null };
const [, second] = recordedRun().iterations;

/** Work on one file, of which nothing else is known. */
function workWith(more: Partial<IterationFacts>): IterationFacts {
  if (second?.record.kind !== 'read') throw new Error('it has two attempts');
  return { ...second.record.value.facts, ...more };
}

function gate(outcome: GateOutcome, outputTail = '', failing: string[] = []): CommandRun {
  const counts = { run: 2, passed: 2 - failing.length, failed: failing.length, skipped: 0 };
  const read = results({ runners: ['node'], tests: counts, failing });
  return commandRun({ outcome, outputTail, results: read });
}

function known(outcome: GateOutcome): GateBaseline {
  return baseline({ test: outcome });
}

const NO_RUNS: ProofFacts = {
  ...{ production: ['src/a.js'], isTakenBack: true, leftOut: [] },
  ...{ putBack: [], isBrokenWhole: true, retries: [] },
  durationMs: 1,
};
const TAKEN_BACK = { ...gate(FAILED, 'AssertionError', ['adds']), why: 'taken-back' } as const;
const GREEN = { commandRuns: [gate(PASSED)], baseline: known(PASSED) };
const SKIPPED: FoundAvoidance = {
  ...{ category: 'test_skip', kind: 'skip', path: 'test/a.js', line: 4, before: null, after: 'test.skip(' },
  ...{ confidence: 0.95, severity: 'high', reason: 'A test is skipped.', evidence: ['a gate lost it'] },
  times: 1,
  whitelisted: null,
};
const CRITERION = (standing: 'shown' | 'contradicted') => ({
  criteria: [{ criterion: 0, standing, why: '`src/a.js` has no export `b`' }],
});

function answered(facts: IterationFacts) {
  const decisions = decideIteration(facts, DONE_CLAIM);
  return answerOf(facts, decisions, ['src/a.js', 'test/a.js']);
}

describe('the answer about work', () => {
  it.each<[string, Partial<IterationFacts>, string, string]>([
    [
      'a test fails without it',
      { ...GREEN, commandRuns: [gate(PASSED), TAKEN_BACK], proof: NO_RUNS },
      'verified',
      'shown',
    ],
    ['gates pass and show no more', { ...GREEN, proof: NO_RUNS }, 'verified_weak', 'weak'],
    ['files show what was asked for, and there is no gate', CRITERION('shown'), 'verified_weak', 'shown'],
    [
      'no gate is about it',
      { commandRuns: [gate({ kind: 'skipped', reason: 'paths' })] },
      'verified_weak',
      'weak',
    ],
    ['there is no gate', {}, 'cant_tell', 'weak'],
    [
      'the gates were red before',
      { commandRuns: [gate(FAILED)], baseline: known(FAILED) },
      'cant_tell',
      'weak',
    ],
    ['a gate broke', { commandRuns: [gate(FAILED)], baseline: known(PASSED) }, 'not_verified', 'gates'],
    ['a criterion is contradicted', { ...GREEN, ...CRITERION('contradicted') }, 'not_verified', 'criterion'],
    [
      'checks were made weaker',
      { ...GREEN, avoidance: { findings: [SKIPPED], testsGone: 0, featuresGone: [], detections: {} } },
      'cant_tell',
      'avoidance',
    ],
    [
      'checks were made weaker, and a gate broke',
      {
        ...{ commandRuns: [gate(FAILED)], baseline: known(PASSED) },
        avoidance: { findings: [SKIPPED], testsGone: 0, featuresGone: [], detections: {} },
      },
      'not_verified',
      'gates',
    ],
    [
      'something is taken away, and nothing else speaks against it',
      { ...GREEN, avoidance: { findings: [], testsGone: 0, featuresGone: ['src/a.js: b'], detections: {} } },
      'cant_tell',
      'decision',
    ],
    [
      'a credential is in it',
      { ...GREEN, credentials: [{ path: 'src/a.js', line: 2, kind: 'GitHub token', commit: null }] },
      'not_verified',
      'credential',
    ],
  ])('where %s', (_where, more, verdict, rule) => {
    const { verdict: got, remarks } = answered(workWith(more));
    expect(got, JSON.stringify(remarks)).toBe(verdict);
    expect(remarks.map((one) => one.rule)[0], JSON.stringify(remarks)).toBe(rule);
    expect(remarks.some(({ level }) => level === 'error')).toBe(verdict === 'not_verified');
  });

  it('has nothing that changed first, then credentials, then gates, and names places that the work has', () => {
    const output = 'AssertionError: 1 !== 2\n    at test/a.js:7:3\n';
    const { remarks } = answered(
      workWith({
        ...{ commandRuns: [gate(FAILED, output, ['adds'])], baseline: known(PASSED) },
        credentials: [{ path: 'src/a.js', line: 2, kind: 'GitHub token', commit: 'c'.repeat(40) }],
        ...CRITERION('contradicted'),
      }),
    );
    const against = remarks.filter(({ level }) => level === 'error');
    expect(against.map(({ rule, path, line }) => [rule, path, line])).toEqual([
      ['credential', 'src/a.js', 2],
      ['gates', 'test/a.js', 7],
      ['criterion', 'src/a.js', null],
    ]);
    expect(against[0]?.text).toContain('in commit cccccccccc');
    expect(against[1]?.excerpt.join('\n')).toContain('adds');
  });

  it('says where nothing was asked for', () => {
    const { facts } = { facts: workWith(GREEN) };
    const untitled = { ...facts, task: { ...facts.task, title: '' } };
    expect(answered(untitled).remarks.map(({ rule }) => rule)).toContain('not_asked');
    expect(answered(facts).remarks.map(({ rule }) => rule)).not.toContain('not_asked');
  });
});
