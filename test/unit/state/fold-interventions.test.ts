import { describe, expect, it } from 'vitest';
import type { IncidentSummary } from '../../../src/domain/incident.ts';
import type { InterventionRecord, Limits } from '../../../src/domain/intervention.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import {
  CHECKPOINTS_KEPT,
  EMPTY_STATE,
  INTERVENTIONS_KEPT,
  taskStateOf,
  workplaceStateOf,
} from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import {
  attempt,
  checkpoint,
  feedback,
  finished,
  numbered,
  RUN,
  started,
  time,
  UNBLOCKED,
  WORKPLACE,
} from './records.ts';

const fold = (...bodies: JournalBody[]) => foldRecords(EMPTY_STATE, numbered([RUN, ...bodies]));
const here = (...bodies: JournalBody[]) => workplaceStateOf(fold(...bodies), WORKPLACE);
const taskA = (...bodies: JournalBody[]) => taskStateOf(fold(...bodies), 'A');

function intervention(iteration: number, more: Partial<InterventionRecord> = {}): InterventionRecord {
  return {
    type: 'soft_correction',
    issue: 'no_files',
    also: [],
    severity: 'low',
    iteration,
    at: time(iteration),
    agent: 'claude',
    severityScore: 0.2,
    escalationLevel: 0,
    escalated: false,
    outcome: null,
    ...more,
  };
}

const startedAt = (iteration: number, more: object = {}): JournalBody => ({
  ...started(iteration),
  checkpoint: checkpoint(iteration, 'A', {
    tree: `tree-${iteration}`,
    feedback: [feedback(`before ${iteration}`)],
  }),
  ...more,
});

const LIMITS: Limits = { fileOperations: 9, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 };
const THROTTLE = { limits: LIMITS, steps: [], clean: 0, text: 'less' };

const HELPED = { type: 'soft_correction', issue: 'no_files', iteration: 1, outcome: 'helped' } as const;

describe('interventions of a task', () => {
  it('are kept with what became of them, newest last', () => {
    const task = taskA(
      finished(1, { interventions: [intervention(1)] }),
      finished(2, {
        assessed: [{ ...HELPED, outcome: 'not_helped' }],
        interventions: [intervention(2, { type: 'context_reinforcement', escalated: true })],
        reinforce: ['no_files'],
        throttle: THROTTLE,
      }),
    );
    expect(task.interventions.map(({ type, outcome }) => [type, outcome])).toEqual([
      ['soft_correction', 'not_helped'],
      ['context_reinforcement', null],
    ]);
    expect(task).toMatchObject({ interventionCount: 2, reinforce: ['no_files'], throttle: THROTTLE });
  });

  it('are bounded, and their number is not', () => {
    const many = Array.from({ length: INTERVENTIONS_KEPT + 5 }, (_, index) =>
      finished(index + 1, { interventions: [intervention(index + 1)] }),
    );
    const task = taskA(...many);
    expect(task.interventions).toHaveLength(INTERVENTIONS_KEPT);
    expect(task.interventionCount).toBe(INTERVENTIONS_KEPT + 5);
  });

  it.each([
    ['done', finished(2, { taskStatus: 'done', verdict: 'done' })],
    ['unblocked', UNBLOCKED],
  ] as const)('begin anew when the task is %s', (_, body) => {
    const given = finished(1, {
      interventions: [intervention(1)],
      reinforce: ['no_files'],
      throttle: THROTTLE,
    });
    expect(taskA(given, body)).toMatchObject({
      interventions: [],
      interventionCount: 0,
      reinforce: [],
      throttle: null,
    });
  });

  it('are counted by agent, issue and type; what became of them too, for the agent that was corrected', () => {
    const { interventionStats } = fold(
      finished(1, { interventions: [intervention(1, { severity: 'medium', escalated: true })] }),
      finished(2, { assessed: [HELPED], attempt: attempt({ iteration: 2, agent: 'codex' }) }),
      finished(3, {
        interventions: [intervention(3, { type: 'emergency_stop', outcome: 'no_further_attempt' })],
      }),
    );
    expect(interventionStats).toEqual({
      bySeverity: { medium: 1, low: 1 },
      cells: [
        {
          ...{ agent: 'claude', issue: 'no_files', type: 'soft_correction' },
          ...{ applied: 1, helped: 1, notHelped: 0, noFurtherAttempt: 0, escalated: 1 },
        },
        {
          ...{ agent: 'claude', issue: 'no_files', type: 'emergency_stop' },
          ...{ applied: 1, helped: 0, notHelped: 0, noFurtherAttempt: 1, escalated: 0 },
        },
      ],
    });
  });
});

describe('checkpoints that a rollback may choose', () => {
  const ids = (...bodies: JournalBody[]) => here(...bodies).checkpoints.map(({ iteration }) => iteration);

  it('are the newest', () => {
    const many = Array.from({ length: CHECKPOINTS_KEPT + 2 }, (_, index) => startedAt(index + 1));
    expect(ids(...many)[0]).toBe(3);
  });

  it('end where a task was verified', () => {
    expect(ids(startedAt(1), finished(1, { taskStatus: 'done', verdict: 'done' }), startedAt(2))).toEqual([
      2,
    ]);
  });
});

describe('a rollback', () => {
  const ROLLBACK = { checkpoint: 'r-1/2', tree: 'tree-2' };
  const before: JournalBody[] = [
    startedAt(1),
    finished(1),
    startedAt(2),
    finished(2, {
      rollback: ROLLBACK,
      attempt: attempt({
        iteration: 2,
        verdict: 'gates_failed',
        tree: 'after-2',
        session: { id: 's', usage: [] },
        resources: { fileOperations: 1, memoryMb: 1, tokens: 1, durationMs: 1 },
      }),
      feedback: [feedback('what went wrong')],
    }),
  ];
  const end: JournalBody = {
    ...{
      type: 'rollback_finished',
      ...WORKPLACE,
      ...ROLLBACK,
      taskId: 'A',
      paths: ['src/a.ts'],
      reopened: ['B'],
    },
    ...{ feedback: [feedback('as it was')], throttle: THROTTLE, baseline: null },
  };

  it('that was decided is open before anything is touched', () => {
    expect(here(...before).openRollback).toEqual({ ...ROLLBACK, isKept: false, taskId: 'A' });
  });

  it('is over when the journal says so, with the tree, the feedback and the limits of its checkpoint', () => {
    const state = fold(...before, end);
    const { openRollback, leftTree, checkpoints } = workplaceStateOf(state, WORKPLACE);
    expect(openRollback).toBeNull();
    expect(leftTree).toBe('tree-2');
    expect(state.feedback.map(({ text }) => text)).toEqual(['as it was']);
    expect(checkpoints.map(({ iteration }) => iteration)).toEqual([1]);
    const task = taskStateOf(state, 'A');
    expect(task.throttle).toEqual(THROTTLE);
    expect(task.attempts.at(-1)).toMatchObject({ session: null, resources: null });
  });

  it.each([
    ['before the series leaves nothing of its work in the tree', 'r-1/1', 'tree-1', []],
    ['within the series leaves what came before', 'r-1/2', 'tree-2', ['src/a.ts']],
  ])('%s', (_, id, tree, work) => {
    const changed = { changedPaths: ['src/a.ts'] };
    const state = fold(...[startedAt(1), finished(1, changed), startedAt(2), finished(2, changed)], {
      ...end,
      checkpoint: id,
      tree,
    });
    expect(taskStateOf(state, 'A').series).toMatchObject({ work, unjudged: [] });
  });

  it('opens tasks that were done after its checkpoint', () => {
    const done = finished(1, { taskId: 'B', taskStatus: 'done', verdict: 'done' });
    expect(taskStateOf(fold(done), 'B').doneBy).not.toBeNull();
    expect(taskStateOf(fold(done, end), 'B').doneBy).toBeNull();
  });
});

describe('an incident', () => {
  const INCIDENT: IncidentSummary = {
    id: 'INC-3',
    at: time(1),
    run: 'r-1',
    iteration: 1,
    taskId: 'A',
    issue: 'state_tampering',
    severity: 'critical',
    summary: 'it wrote what is not its own',
    scope: 'run',
    resolved: null,
  };
  const opened: JournalBody = { type: 'incident_opened', incident: INCIDENT, plan: [] };
  const blocked = finished(1, {
    taskStatus: 'blocked',
    blocked: {
      ...{ reason: 'review_blocked', detail: '', at: time(1), run: 'r-1', iteration: 1 },
      ...{ attempts: [], outputTail: '', failedGateTail: '' },
    },
  });
  const resolved = (option: 'resume_with_limits' | 'rollback_and_retry' | 'manual_intervention' | 'abort') =>
    fold(blocked, opened, {
      ...{ type: 'stop_resolved', reason: 'because' },
      incident: {
        ...{ id: 'INC-3', option, taskId: 'A' },
        limits: option === 'resume_with_limits' ? LIMITS : null,
      },
    });

  it('is open until the user has chosen, and counts', () => {
    expect(fold(opened)).toMatchObject({
      incidents: [{ id: 'INC-3', resolved: null }],
      counters: { incident: 3 },
    });
    expect(resolved('abort').incidents[0]?.resolved).toMatchObject({ option: 'abort', reason: 'because' });
  });

  it.each([
    ['resume_with_limits', { blocked: null, parked: false, attempts: [], restriction: { limits: LIMITS } }],
    ['rollback_and_retry', { blocked: null, parked: false, attempts: [] }],
    ['manual_intervention', { blocked: null, parked: false, decisions: { manual: 'INC-3' } }],
    ['abort', { blocked: { reason: 'human_rejected' }, parked: false, inProgress: false }],
  ] as const)('%s', (option, expected) => {
    expect(taskStateOf(resolved(option), 'A')).toMatchObject(expected);
  });

  it('leaves a restriction until the task is done', () => {
    const limited: JournalBody[] = [
      opened,
      {
        ...{ type: 'stop_resolved', reason: '' },
        incident: { id: 'INC-3', option: 'resume_with_limits', taskId: 'A', limits: LIMITS },
      },
    ];
    expect(taskA(...limited, UNBLOCKED).restriction).not.toBeNull();
    expect(taskA(...limited, finished(2, { taskStatus: 'done', verdict: 'done' })).restriction).toBeNull();
  });
});
