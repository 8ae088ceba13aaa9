import fc from 'fast-check';
import type { Severity } from 'ralph-kit/severity';
import { describe, expect, it } from 'vitest';
import { knownCheckpoint } from '../../../src/decide/attempt/starting-attempt.ts';
import { decideIteration } from '../../../src/decide/decide-iteration.ts';
import { finishedRecord } from '../../../src/decide/finished-record.ts';
import { answerRow } from '../../../src/decide/index.ts';
import type { Claim } from '../../../src/domain/claim.ts';
import { FINDING_TYPES, type FindingType } from '../../../src/domain/findings/index.ts';
import type { InterventionType } from '../../../src/domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../../../src/domain/records/iteration.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State, taskStateOf, workplaceStateOf } from '../../../src/domain/records/state.ts';
import { checkpointOf } from '../../../src/respond/intervene/index.ts';
import { rank, stepAt, typical } from '../../../src/respond/table.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { suggestStrategy } from '../../../src/tell/suggest-strategy.ts';
import { facts as blockedFacts } from '../blocked/facts.ts';
import { changeSet, DONE_CLAIM, NO_CLAIM } from '../findings/facts.ts';
import { recordedRun } from '../replay/recorded-run.ts';
import { SHOWN_ITERATION } from '../state/records.ts';

const NAMES: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'soft',
  context_reinforcement: 'reinforce',
  resource_throttling: 'throttle',
  checkpoint_rollback: 'rollback',
  emergency_stop: 'stop',
};

/** The cells: the step for each issue, the first to the fourth time, while nothing helps. */
const CELLS: readonly (readonly [FindingType, Severity, string])[] = [
  ['no_files', 'low', 'soft reinforce reinforce stop'],
  ['no_files', 'medium', 'soft reinforce stop stop'],
  ['false_completion', 'medium', 'soft reinforce rollback stop'],
  ['evidence_missing', 'low', 'soft reinforce reinforce reinforce'],
  ['repetitive_errors', 'low', 'soft reinforce rollback rollback'],
  ['repetitive_errors', 'medium', 'soft reinforce rollback rollback'],
  ['repetitive_errors', 'high', 'soft reinforce rollback rollback'],
  ['scope_creep', 'medium', 'reinforce throttle stop stop'],
  ['goal_drift', 'low', 'soft reinforce rollback rollback'],
  ['resource_spiral', 'medium', 'throttle rollback stop stop'],
  ['resource_spiral', 'high', 'throttle rollback stop stop'],
  ['hallucination', 'medium', 'reinforce rollback stop stop'],
  ['gate_regression', 'medium', 'soft reinforce rollback rollback'],
  ['oscillation', 'medium', 'reinforce rollback rollback rollback'],
  ['critical_security_violation', 'critical', 'stop stop stop stop'],
  ['state_tampering', 'high', 'reinforce stop stop stop'],
  ['state_tampering', 'critical', 'stop stop stop stop'],
  ['unreviewed_action', 'high', 'soft stop stop stop'],
  ['action_denied', 'medium', 'soft reinforce stop stop'],
  ['avoidance', 'high', 'soft rollback stop stop'],
];

describe('a cell of the table', () => {
  it.each(CELLS)('%s, %s: %s', (type, severity, expected) => {
    const steps = [1, 2, 3, 4].map((times) => NAMES[stepAt(typical(type, severity), times)]);
    expect(steps.join(' ')).toBe(expected);
  });

  it('is there for each issue that ralph finds', () => {
    expect([...new Set(CELLS.map(([type]) => type))]).toEqual(FINDING_TYPES);
  });
});

/** A way in which each attempt at a task ends. */
type Ending = { readonly claim: Claim; readonly more: (iteration: number) => Partial<IterationFacts> };

const [, second] = recordedRun().iterations;
const BASE = second?.record.kind === 'read' ? second.record.value.facts : null;
const UNTICKED: Pick<IterationFacts, 'criteria'> = {
  criteria: [{ criterion: 0, standing: 'contradicted', why: 'there is no `b`' }],
};

const writes = (iteration: number) => {
  const changes = changeSet('src/a.ts');
  const [before, after] = [`t${iteration - 1}`, `t${iteration}`];
  return {
    ...changes,
    before: { ...changes.before, tree: before },
    after: { ...changes.after, tree: after },
  };
};
const nothing = () => ({ ...changeSet(), after: changeSet().before });
const worksAt = { ...NO_CLAIM, status: 'in_progress' } as const;
const found = (type: FindingType, severity: Severity): Ending => ({
  claim: worksAt,
  more: (iteration) => ({
    changes: writes(iteration),
    ownFindings: [
      { ...typical(type, severity), taskId: 'T-1', iteration, summary: `There is ${type}.`, details: {} },
    ],
  }),
});

const ENDINGS: Readonly<Record<string, Ending>> = {
  'changed nothing': { claim: NO_CLAIM, more: () => ({ changes: nothing() }) },
  'claimed done, changed nothing': { claim: DONE_CLAIM, more: () => ({ changes: nothing() }) },
  'claimed done, and a criterion is unmet': {
    claim: DONE_CLAIM,
    more: (iteration) => ({ changes: writes(iteration), ...UNTICKED }),
  },
  'ran out of time': {
    claim: NO_CLAIM,
    more: (iteration) => ({
      changes: writes(iteration),
      end: { kind: 'timed_out', which: 'wall', afterMs: 120_000 },
      durationMs: 120_000,
    }),
  },
  'ended with an error': {
    claim: NO_CLAIM,
    more: () => ({ changes: nothing(), end: { kind: 'exited', code: 1 }, errorTail: 'boom' }),
  },
  ...Object.fromEntries(CELLS.map(([type, severity]) => [`${type}, ${severity}`, found(type, severity)])),
};

type Played = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly state: State;
};

/** Attempts at a task that all end so, with this time between them, as the journal folds them; until one is the last. */
function play({ claim, more }: Ending, gaps: readonly number[], maxAttempts: number): Played[] {
  if (BASE === null) throw new Error('it has two attempts');
  let state = EMPTY_STATE;
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const append = (body: JournalBody) => {
    state = foldRecords(state, [{ seq: state.seq + 1, at: new Date(now).toISOString(), ...body }]);
  };
  const played: Played[] = [];
  for (const [index, seconds] of gaps.entries()) {
    now += seconds * 1000;
    const iteration = index + 1;
    const taskState = taskStateOf(state, 'T-1');
    const { run, worker, worktree, agent, mode } = BASE;
    const startedAt = new Date(now).toISOString();
    const before = { ...writes(iteration).before };
    const place = { run, iteration, taskId: 'T-1', at: startedAt, taskState, before, state };
    append({
      type: 'iteration_started',
      ...{ run, worker, worktree, agent, mode, startedAt, iteration, taskId: 'T-1', timeoutSeconds: 120 },
      ...SHOWN_ITERATION,
      ...{ checkpoint: knownCheckpoint(place), head: null, branch: null },
    });
    now += 200;
    const facts: IterationFacts = {
      ...BASE,
      ...{ iteration, startedAt, endedAt: new Date(now).toISOString(), taskState, durationMs: 200 },
      series: null,
      checkpoints: workplaceStateOf(state, BASE).checkpoints,
      effectiveness: [],
      settings: { ...BASE.settings, maxAttemptsPerTask: maxAttempts },
      task: { ...BASE.task, acceptance: ['`src/a.ts` exports `b`'] },
      ...more(iteration),
    };
    const decisions = decideIteration(facts, claim);
    const { event: lastEvent, recovery: lastRecovery } = state.counters;
    append(
      finishedRecord({
        facts,
        decisions,
        specs: [],
        recordSha256: '',
        budget: null,
        lastEvent,
        lastRecovery,
      }),
    );
    const checkpoint = checkpointOf(decisions);
    const tree = facts.checkpoints.find(({ id }) => id === checkpoint)?.tree;
    if (checkpoint !== null && tree !== undefined)
      append({
        type: 'rollback_finished',
        ...{ worker, worktree, checkpoint, tree, kept: 'kept/1', taskId: 'T-1', paths: ['src/a.ts'] },
        ...{ reopened: [], feedback: [], throttle: null, baseline: null },
      });
    played.push({ facts, decisions, state });
    if (decisions.taskStatus !== 'open') break;
  }
  return played;
}

/** What you read of an attempt, and what was due, without what was left out of it. */
function advice({ decisions, state }: Played) {
  const { verdict, cause, taskStatus, blocked, failedAttempt, parkedBecause, recovering, humanGate } =
    decisions;
  const due = [...decisions.interventions.map(({ record }) => record), ...decisions.leftOut];
  const suggestion = blocked === null ? null : suggestStrategy(blockedFacts({ blocked }));
  return {
    ...{ verdict, cause, taskStatus, failedAttempt, parkedBecause },
    detail: blocked?.detail ?? null,
    reason: blocked?.reason ?? null,
    command: suggestion?.command ?? null,
    steps: due.map(({ type, issue }) => `${NAMES[type]} ${issue}`).toSorted(),
    levels: due.map(({ escalationLevel, severityScore }) => [escalationLevel, severityScore]),
    count: taskStateOf(state, 'T-1').interventionCount,
    recovery: recovering?.tries.map(({ diagnosis, adaptation }) => [diagnosis, adaptation?.attempt]) ?? null,
    gate: humanGate?.triggers.map(({ text }) => text) ?? null,
  };
}

const SOON = [0, 1, 1, 1, 1, 1];
const HOURS_APART = [0, 3600, 7200, 3600, 86_400, 3600];

describe.each(Object.entries(ENDINGS))('an attempt that %s', (_, ending) => {
  it.each([2, 3, 9])('is answered alike in seconds and in hours, of %i attempts', (maxAttempts) => {
    const [soon, late] = [SOON, HOURS_APART].map((gaps) => play(ending, gaps, maxAttempts));
    expect(soon?.map(advice)).toEqual(late?.map(advice));
    expect(late?.flatMap(({ decisions }) => decisions.leftOut)).toEqual([]);
    // The first two are never too soon, and what is critical isn't either.
    expect(soon?.slice(0, 2).flatMap(({ decisions }) => decisions.leftOut)).toEqual([]);
  });

  it('takes nothing back where no attempt follows', () => {
    for (const gaps of [SOON, HOURS_APART])
      for (const { decisions } of play(ending, gaps, 3)) {
        if (decisions.taskStatus !== 'open') expect(checkpointOf(decisions)).toBeNull();
      }
  });
});

const row = (name: string, gaps: readonly number[], maxAttempts = 9) =>
  play(ENDINGS[name] as Ending, gaps, maxAttempts).map(({ facts, state }) => {
    const task = taskStateOf(state, 'T-1');
    const settings = facts.settings.interventions;
    const told = answerRow({
      task,
      maxAttempts,
      settings,
      effectiveness: state.interventionStats.cells,
      command: 'ralph unblock T-1',
    });
    return told === null ? null : `${told.issue} ${told.times}: ${told.done}; ${told.next}`;
  });

describe('the row that a task is in', () => {
  it('goes from step to step', () => {
    expect(row('goal_drift, low', HOURS_APART).slice(0, 3)).toEqual([
      'goal_drift 1: warned; warned, prompt restated',
      'goal_drift 2: warned, prompt restated; work set aside, started over',
      'goal_drift 3: work set aside, started over; work set aside, started over',
    ]);
  });

  it.each(Object.keys(ENDINGS))('of an attempt that %s says what then comes', (name) => {
    const rows = row(name, HOURS_APART).flatMap((told) => (told === null ? [] : [told]));
    for (const [index, told] of rows.entries()) {
      const [, said] = told.split('; ');
      const [came] = rows[index + 1]?.split('; ') ?? [];
      if (came === undefined) continue;
      const happened = came.replace(/^\S+ \d+: /, '');
      const expected =
        said?.startsWith('a recovery') || said === 'another approach' ? /^recovery, attempt/ : said;
      if (expected instanceof RegExp) expect(happened, `${told} → ${came}`).toMatch(expected);
      else expect(happened, `${told} → ${came}`).toBe(expected);
    }
  });

  it('says that a step is left out, and what comes next all the same', () => {
    expect(row('changed nothing', SOON)[2]).toBe(
      'no_files 3: nothing more, so soon after the last time; stopped',
    );
  });

  it('ends in a block, which is yours to lift', () => {
    expect(row('claimed done, changed nothing', SOON, 3)).toEqual([
      'no_files 1: warned; warned, prompt restated',
      'no_files 2: warned, prompt restated; blocked',
      'no_files 3: blocked; you decide: ralph unblock T-1',
    ]);
  });

  it("of a failure that isn't an issue continues to the block", () => {
    expect(row('ended with an error', SOON, 2)).toEqual([
      'agent_error 1: warned; blocked',
      'agent_error 2: blocked; you decide: ralph unblock T-1',
    ]);
  });
});

it('timing changes no advice, and a later time is never milder than an earlier one', () => {
  const gap = fc.constantFrom(0.1, 1, 10, 29, 31, 119, 121, 3600, 100_000);
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(ENDINGS)),
      fc.array(gap, { minLength: 5, maxLength: 8 }),
      fc.constantFrom(2, 3, 5, 20),
      (ending, gaps, maxAttempts) => {
        const played = play(ending, gaps, maxAttempts);
        const apart = play(
          ending,
          gaps.map(() => 100_000),
          maxAttempts,
        );
        expect(played.map(advice)).toEqual(apart.map(advice));
        const steps = taskStateOf(played.at(-1)?.state ?? EMPTY_STATE, 'T-1').interventions;
        for (const { type, issue, iteration } of steps) {
          const earlier = steps.filter((one) => one.issue === issue && one.iteration < iteration);
          for (const one of earlier) expect(rank(type)).toBeGreaterThanOrEqual(rank(one.type));
        }
      },
    ),
    { numRuns: 40 },
  );
});
