import { describe, expect, it } from 'vitest';
import { commitsMayExplain, explainMarks, isTakenBack, markName } from '../../../src/decide/index.ts';
import { EMPTY_STATE, type RunSummary, workplaceStateOf } from '../../../src/domain/records/state.ts';
import type { TaskStatus } from '../../../src/domain/task.ts';

const A = markName({ id: 'T-1', title: 'Add a parser' });
const B = markName({ id: 'T-2', title: 'Add a printer' });
const marks = (...names: string[]) => new Set(names);
const version = (commit: string, held: string[], ...parents: string[][]) => ({
  ...{ commit, author: 'Ann', marks: marks(...held) },
  parents: parents.map((names) => marks(...names)),
});
const nothing = { since: marks() };

describe('explainMarks', () => {
  it('names the commit that brought each mark', () => {
    const versions = [version('c1', [A], []), version('c2', [A, B], [A])];
    const found = explainMarks([A, B], { ...nothing, head: marks(A, B), versions });
    expect([found.get(A)?.commit, found.get(B)?.commit]).toEqual(['c1', 'c2']);
  });

  it.each([
    ['is in the work tree alone', marks(), nothing, [version('c1', [A], [])]],
    [
      'was there when the last run ended',
      marks(A),
      { ...nothing, since: marks(A) },
      [version('c1', [A], [])],
    ],
    ['came with a merge of such commits', marks(A), nothing, [version('m', [A], [], [A])]],
    ['is of a task of that id with another title', marks(A), nothing, [version('c1', [B], [])]],
    ['no commit changed', marks(A), nothing, []],
  ])('none for a mark that %s', (_name, head, rest, versions) => {
    expect(explainMarks([A], { head, ...rest, versions }).size).toBe(0);
  });

  it('names the commit of yours where a merge only brought it along', () => {
    const versions = [version('c1', [A], []), version('m', [A, B], [A], [B])];
    expect(explainMarks([A], { ...nothing, head: marks(A, B), versions }).get(A)?.commit).toBe('c1');
  });
});

describe('isTakenBack', () => {
  const held = (status: TaskStatus | null) =>
    new Map<string, TaskStatus>(status === null ? [] : [['T-3', status]]);
  const changed = (to: TaskStatus | null, ...from: (TaskStatus | null)[]) => ({
    statuses: held(to),
    parents: from.map(held),
  });
  it.each<[string, TaskStatus, TaskStatus | null, ReturnType<typeof changed>[], boolean]>([
    ['the list says what HEAD says', 'open', 'open', [], true],
    ['HEAD still has the mark', 'open', 'blocked', [], false],
    ['HEAD says something else', 'open', 'in_progress', [], false],
    ['HEAD has no such task', 'open', null, [], false],
    [
      'a commit took it away',
      'open',
      'open',
      [changed('blocked', 'open'), changed('open', 'blocked')],
      false,
    ],
    ['a merge took one side', 'open', 'open', [changed('open', 'open', 'blocked')], false],
    ['commits changed other tasks', 'open', 'open', [changed('open', 'open')], true],
    ['a commit added the task', 'open', 'open', [changed('open', null)], true],
  ])('%s', (_name, status, head, versions, expected) => {
    const history = { head: held(head), versions };
    expect(isTakenBack({ taskId: 'T-3', mark: 'blocked' }, status, history)).toBe(expected);
  });
});

describe('commitsMayExplain', () => {
  const run = (endedAt: string | null) => ({ run: 'r-1', endedAt }) as RunSummary;
  const heads = { known: 'h' };
  const open = { ...workplaceStateOf(EMPTY_STATE, { worker: 1, worktree: 'x' }), openIteration: {} as never };
  it.each([
    ['after a run that ended', {}, true],
    ['while an attempt is open, in whatever work tree', { workplaces: [open] }, false],
    ['after a run that was cut off', { runs: [run('t'), run(null)] }, false],
    ['where no head is known', { heads: { ...heads, known: null } }, false],
  ])('%s', (_name, more, expected) => {
    expect(commitsMayExplain({ ...EMPTY_STATE, heads, runs: [run('t')], ...more })).toBe(expected);
  });
});
