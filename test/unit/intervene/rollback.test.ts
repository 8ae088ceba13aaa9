import { describe, expect, it } from 'vitest';
import type { KnownCheckpoint } from '../../../src/domain/intervention.ts';
import type { AttemptSummary } from '../../../src/domain/records/state.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { decideInterventions, type InterventionInput } from '../../../src/respond/intervene/index.ts';
import { attempt, CHECKPOINT, finding, given, momentOf, record, settings, state } from './inputs.ts';

/** The checkpoint before an iteration, taken half a minute before the iteration's end. */
function checkpoint(iteration: number, more: Partial<KnownCheckpoint> = {}): KnownCheckpoint {
  return { ...CHECKPOINT, id: `r-1/${iteration}`, iteration, at: momentOf(iteration * 10 - 5), ...more };
}

/** Returns an attempt ten minutes after the one before. */
function shown(iteration: number, issue: string | null, verdict: VerdictKind = 'progress'): AttemptSummary {
  return attempt(iteration, issue === null ? [] : [issue], {
    verdict,
    startedAt: momentOf(iteration * 10 - 4),
  });
}

/** Returns the facts with which a rollback for oscillation is due in iteration 6. */
function due(more: Partial<InterventionInput> = {}, attempts: readonly AttemptSummary[] = []) {
  return decideInterventions(
    given({
      iteration: 6,
      endedAt: momentOf(60),
      findings: [finding('oscillation')],
      checkpoints: [1, 2, 3, 4, 5, 6].map((iteration) => checkpoint(iteration)),
      taskState: state({
        interventions: [record('reinforce', 'oscillation', { iteration: 5, at: momentOf(50) })],
        attempts: [...attempts],
      }),
      ...more,
    }),
  ).interventions[0]?.plan;
}

const chosen = (...given: Parameters<typeof due>) => {
  const plan = due(...given);
  return plan?.type === 'checkpoint_rollback' ? plan.checkpoint : plan?.type;
};

const OTHER = [shown(3, null), shown(4, 'no_files'), shown(5, null)];

describe('the checkpoint', () => {
  it.each([
    ['of this attempt, when the issue is new', OTHER, 'r-1/6'],
    ['before the first attempt that showed the issue', [shown(4, null), shown(5, 'oscillation')], 'r-1/5'],
    ['over several attempts', [shown(3, null), shown(4, 'oscillation'), shown(5, 'oscillation')], 'r-1/4'],
    ['not over a gap', [shown(3, 'oscillation'), shown(4, null), shown(5, 'oscillation')], 'r-1/5'],
    ['over an outage, which says nothing', [shown(4, 'oscillation'), shown(5, null, 'outage')], 'r-1/4'],
    [
      'not deeper than three',
      [shown(3, 'oscillation'), shown(4, 'oscillation'), shown(5, 'oscillation')],
      null,
    ],
  ])('%s', (_, attempts, expected) => {
    expect(chosen({}, attempts)).toBe(expected);
  });

  it.each([
    [1, [shown(5, 'oscillation')], null],
    [2, [shown(5, 'oscillation')], 'r-1/5'],
    [0, OTHER, null],
  ])('at most %i back', (max_rollback_depth, attempts, expected) => {
    expect(chosen({ settings: settings({ max_rollback_depth }) }, attempts)).toBe(expected);
  });

  it.each([
    [0.8, 'r-1/6'],
    [0.79, 'r-1/5'],
  ])('where enough gates passed: %d', (gateSuccess, expected) => {
    const checkpoints = [checkpoint(5), checkpoint(6, { gateSuccess })];
    expect(chosen({ checkpoints }, OTHER)).toBe(expected);
  });

  it.each([
    ['a failed attempt right before it, hours ago', 0, 'timed_out', 'r-1/4'],
    ['a failed attempt and 59 s of work', 59, 'timed_out', 'r-1/4'],
    ['a failed attempt and 60 s of work', 60, 'timed_out', 'r-1/6'],
    ['progress right before it', 1, 'progress', 'r-1/6'],
    ['an outage right before it', 1, 'outage', 'r-1/6'],
  ] as const)('after %s', (_, seconds, verdict, expected) => {
    const failed = attempt(4, [], { verdict, startedAt: momentOf(0) });
    const worked = attempt(5, [], { verdict: 'progress', durationMs: seconds * 1000 });
    expect(chosen({}, [failed, worked])).toBe(expected);
  });

  it('is from before all the issues that it answers', () => {
    const findings = [finding('oscillation'), finding('hallucination')];
    const interventions = findings.map(({ type }) =>
      record('reinforce', type, { iteration: 5, at: momentOf(50) }),
    );
    const attempts = [shown(4, 'hallucination'), shown(5, 'hallucination')];
    const taskState = state({ interventions, attempts });
    expect(chosen({ findings, taskState })).toBe('r-1/4');
  });

  it('is null when there is none', () => {
    expect(chosen({ checkpoints: [] })).toBeNull();
  });
});

describe('the text', () => {
  it('says what went wrong, where to, and a different approach', () => {
    const plan = due({}, OTHER);
    const text = plan?.type === 'checkpoint_rollback' ? plan.text : '';
    for (const part of [
      'after iteration 6',
      'checkpoint `r-1/6`',
      'made and undone in turns',
      'Take a third way',
      '`Parse quoted fields: As in RFC 4180.`',
    ]) {
      expect(text).toContain(part);
    }
    expect(plan).toMatchObject({ recovery: [] });
  });

  it('without a checkpoint says so, with a plan for the user', () => {
    const plan = due({ checkpoints: [checkpoint(6, { gateSuccess: 0 })] }, OTHER);
    expect(plan).toMatchObject({
      checkpoint: null,
      text: expect.stringContaining('could not be'),
      recovery: expect.arrayContaining([expect.stringContaining('r-1/6')]),
    });
  });
});
