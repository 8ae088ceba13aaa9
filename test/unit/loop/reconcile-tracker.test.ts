import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import type { Store, Tracker } from '../../../src/domain/ports.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import type { TakenBack } from '../../../src/domain/records/marks.ts';
import {
  type BlockedRecord,
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type TaskState,
} from '../../../src/domain/records/state.ts';
import type { TaskStatus } from '../../../src/domain/task.ts';
import { reconcileTracker } from '../../../src/loop/reconcile-tracker.ts';

const BLOCKED: BlockedRecord = {
  reason: 'no_files',
  detail: '3 failed attempts',
  at: '2026-01-01T00:00:00.000Z',
  run: 'r-1',
  iteration: 3,
  attempts: [],
  outputTail: '',
  failedGateTail: '',
};
const COMMITS = { git: { commit: 'on_done' } } as const;
const DONE_BY = {
  kind: 'verdict',
  run: 'r-1',
  iteration: 1,
  title: '',
  at: '2026-01-01T00:00:00.000Z',
} as const;

const ACCEPTED = { type: 'tracker_accepted', sha256: 'now', reopened: [], opened: null, takenBack: [] };

/** The two ports that reconciling reaches the world through, and what was asked of them. */
function world(
  status: TaskStatus,
  known: Partial<TaskState>,
  acceptedSha: string | null,
  holdsBlocked = true,
  takenBack: readonly TakenBack[] = [],
  before: readonly string[] = [],
) {
  const marks: string[] = [];
  const records: JournalBody[] = [];
  const loaded = {
    ok: true as const,
    format: 'markdown-prd' as const,
    name: '.ralph/PRD.md',
    paths: ['/repo/.ralph/PRD.md'],
    holdsDone: true,
    extras: () => ({ unread: [], words: new Map() }),
    source: { kind: 'auto' as const, path: '.ralph/PRD.md' },
    holdsBlocked,
    sha256: 'now',
    tasks: [{ ...EMPTY_TASK, id: 'T-1', status }],
    problems: [],
    givenUp: [],
    replacing: [],
    lineOf: () => null,
    takenBack,
  };
  const tracker: Tracker = {
    load: async () => loaded,
    comment: async () => undefined,
    edit: async () => [],
    addPlan: async () => [],
    marks: async () => [],
    show: async (id, to) => {
      marks.push(`${id} ${to}`);
      return null;
    },
    explain: async () => [],
    others: async () => [],
  };
  const state = {
    ...EMPTY_STATE,
    trackerSha256: acceptedSha,
    takenBack: [...before],
    tasks: { 'T-1': { ...EMPTY_TASK_STATE, ...known } },
  };
  const store = {
    state,
    commit: (build: (from: typeof state) => readonly JournalBody[]) => {
      records.push(...build(state));
      return state;
    },
  } as unknown as Store;
  return { ports: { tracker, store } as never, loaded, marks, records };
}

describe('reconcileTracker', () => {
  it.each([
    [
      'a verified task that was not ticked before ralph was killed is ticked',
      'open',
      { doneBy: DONE_BY },
      ['T-1 done'],
    ],
    [
      'a block that was not marked before ralph was killed is marked',
      'open',
      { blocked: BLOCKED },
      ['T-1 blocked'],
    ],
    ['marks that are there are left alone', 'done', { doneBy: DONE_BY }, []],
    ['an untouched task is left alone', 'open', {}, []],
  ] as const)('in a file as ralph left it: %s', async (_name, status, known, expected) => {
    const { ports, loaded, marks, records } = world(status, known, 'now');
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(marks).toEqual(expected);
    expect(records).toEqual([]);
  });

  it('in a file that the user changed, a block without its mark is taken back', async () => {
    const { ports, loaded, marks, records } = world('open', { blocked: BLOCKED }, 'before');
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(marks).toEqual([]);
    expect(records.map(({ type }) => type)).toEqual(['tracker_accepted', 'task_unblocked']);
  });

  it.each([
    ['blocked', { blocked: BLOCKED }, 'on_done', []],
    ['blocked', { blocked: BLOCKED }, 'never', []],
    ['done', { doneBy: DONE_BY }, 'on_done', ['T-1 done']],
    ['done', { doneBy: DONE_BY }, 'never', []],
  ] as const)(
    'a %s mark that went back to what HEAD has counts, %#',
    async (mark, known, commit, written) => {
      const back = [{ taskId: 'T-1', mark }];
      const { ports, loaded, marks, records } = world('open', known, 'before', true, back);
      await reconcileTracker({ ports, config: { git: { commit } } }, loaded, false);
      expect(marks).toEqual(written);
      expect(records).toEqual([{ ...ACCEPTED, takenBack: ['T-1'] }]);
    },
  );

  it.each<[string, Partial<TaskState>, readonly TakenBack[], readonly string[]]>([
    ['still', { blocked: BLOCKED }, [{ taskId: 'T-1', mark: 'blocked' }], []],
    ['by a commit, blocked', { blocked: BLOCKED }, [], ['tracker_accepted', 'task_unblocked']],
    ['by a commit, done', { doneBy: DONE_BY }, [], ['tracker_accepted']],
  ])(
    'a mark that was taken back when the file was accepted is missing %s',
    async (_why, known, back, expected) => {
      const { ports, loaded, marks, records } = world('open', known, 'now', true, back, ['T-1']);
      await reconcileTracker({ ports, config: COMMITS }, loaded, false);
      expect(marks).toEqual([]);
      expect(records.map(({ type }) => type)).toEqual(expected);
    },
  );

  it('in a file that the user changed, a task they opened again stays open', async () => {
    const { ports, loaded, marks, records } = world('open', { doneBy: DONE_BY }, 'before');
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(marks).toEqual([]);
    expect(records.map(({ type }) => type)).toEqual(['tracker_accepted']);
  });

  it.each([
    ['done', 'on_done', { doneBy: DONE_BY, unmarked: true }],
    ['done', 'never', { doneBy: DONE_BY, unmarked: true }],
    ['blocked', 'never', { blocked: BLOCKED, unmarked: true }],
  ] as const)(
    'in a file that the user changed before ralph wrote its %s mark, it is written (commit = %s)',
    async (mark, commit, known) => {
      const { ports, loaded, marks, records } = world('open', known, 'before');
      await reconcileTracker({ ports, config: { git: { commit } } }, loaded, false);
      expect(marks).toEqual([`T-1 ${mark}`]);
      expect(records).toEqual([ACCEPTED]);
    },
  );

  it.each([
    ['done', { doneBy: DONE_BY }],
    ['blocked', { blocked: BLOCKED }],
  ])('a %s mark that went while an attempt was open is set again', async (mark, known) => {
    const { ports, loaded, marks, records } = world('open', known, 'before');
    await reconcileTracker({ ports, config: COMMITS }, loaded, true);
    expect(marks).toEqual([`T-1 ${mark}`]);
    expect(records).toEqual([ACCEPTED]);
  });

  it('the mark of a task that was reopened goes', async () => {
    const { ports, loaded, marks } = world('done', { staleMark: 'done' }, 'now');
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(marks).toEqual(['T-1 open']);
  });

  it.each(['now', 'before'])(
    'the mark of a task that was unblocked goes (accepted: %s)',
    async (accepted) => {
      const { ports, loaded, marks } = world('blocked', { staleMark: 'blocked' }, accepted);
      await reconcileTracker({ ports, config: COMMITS }, loaded, false);
      expect(marks).toEqual(['T-1 open']);
    },
  );

  it.each([
    ['of a task that is blocked again', { staleMark: 'blocked', blocked: BLOCKED }, true],
    ['that the user made', {}, true],
    ['that the file cannot hold', { staleMark: 'blocked' }, false],
  ] as const)('a mark %s stays', async (_name, known, holdsBlocked) => {
    const { ports, loaded, marks } = world('blocked', known, 'now', holdsBlocked);
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(marks).toEqual([]);
  });

  it('a file that cannot hold the mark says nothing about blocked tasks', async () => {
    const { ports, loaded, records } = world('open', { blocked: BLOCKED }, 'before', false);
    await reconcileTracker({ ports, config: COMMITS }, loaded, false);
    expect(records.map(({ type }) => type)).toEqual(['tracker_accepted']);
  });
});
