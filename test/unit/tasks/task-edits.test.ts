import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protecting, settingLines, taskEdits } from '../../../src/decide/index.ts';
import { EMPTY_STATE, EMPTY_TASK_STATE, type State } from '../../../src/domain/records/state.ts';
import { EMPTY_TASK, type Task } from '../../../src/domain/task.ts';
import { holdEdited, pendingEdits } from '../../../src/tasks/index.ts';

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...EMPTY_TASK,
  id,
  title: `Do ${id}`,
  ...more,
});
const [A, B, C] = [task('A'), task('B'), task('C')];

describe('what became of a task list', () => {
  it.each<[string, Task[], Task[], string[], string[]]>([
    ['nothing', [A, B], [A, B], [], []],
    ['a task more', [A], [A, B], ['+ B Do B'], []],
    ['another order', [A, B], [B, A], ['  order or priorities'], []],
    ['another priority', [A, B], [A, { ...B, priority: 1 }], ['  order or priorities'], []],
    ['a mark', [A], [{ ...A, status: 'done' }], [], []],
    ['another dependency', [A, B], [A, { ...B, dependsOn: ['A'] }], [], []],
    ['a task less', [A, B], [A], ['- B Do B'], ['B']],
    ['a done task less', [A, { ...B, status: 'done' }], [A], ['- B Do B'], []],
    ['another title', [A], [{ ...A, title: 'X' }], ['- A Do A', '+ A X'], ['A']],
    [
      'other criteria',
      [{ ...A, acceptance: ['x', 'y'] }],
      [{ ...A, acceptance: ['x'] }],
      ['  A Do A', '-   acceptance: x; y', '+   acceptance: x'],
      ['A'],
    ],
    [
      'what loosens',
      [A],
      [{ ...A, kind: 'research' }],
      ['  A Do A', '-   kind: build', '+   kind: research'],
      ['A'],
    ],
    ['several', [A, B, C], [C, task('D')], ['- A Do A', '- B Do B', '+ D Do D'], ['A', 'B']],
  ])('%s', (_, before, now, lines, waiting) => {
    const edits = taskEdits(before, now, 7);
    expect(edits.lines).toEqual(lines);
    expect(edits.pending.map(({ before: one, iteration }) => [one.id, iteration])).toEqual(
      waiting.map((id) => [id, 7]),
    );
  });
});

describe('an edit that waits', () => {
  const state = (before: Task, doneTitle?: string): State => ({
    ...EMPTY_STATE,
    edits: { tasks: { [before.id]: { iteration: 1, before } }, settings: null },
    tasks:
      doneTitle === undefined
        ? {}
        : { [before.id]: { ...EMPTY_TASK_STATE, doneBy: { kind: 'you', title: doneTitle, at: '' } } },
  });

  it.each<[string, Task[], State, Record<string, string>]>([
    ['holds a task that reads otherwise', [A, { ...B, title: 'X' }], state(B), { A: 'open', B: 'parked' }],
    ['keeps a task that is gone', [A], state(B), { A: 'open', B: 'parked' }],
    ['is none where you took it back', [A, B], state(B), { A: 'open', B: 'open' }],
    ['is none of a task that is done', [A], state(B, 'Do B'), { A: 'open' }],
    ['is one where another task is done by that id', [A], state(B, 'Other'), { A: 'open', B: 'parked' }],
  ])('%s', (_, tasks, given, expected) => {
    expect(Object.fromEntries(holdEdited(tasks, given).map(({ id, status }) => [id, status]))).toEqual(
      expected,
    );
  });

  it('never drops a task of the list, and adds none that has no edit', () => {
    const ids = fc.subarray(['A', 'B', 'C', 'D']);
    fc.assert(
      fc.property(ids, ids, (listed, edited) => {
        const edits = Object.fromEntries(edited.map((id) => [id, { iteration: 1, before: task(id) }]));
        const given = { ...EMPTY_STATE, edits: { tasks: edits, settings: null } };
        const tasks = listed.map((id) => task(id));
        const held = holdEdited(tasks, given).map(({ id }) => id);
        expect(held.toSorted()).toEqual([...new Set([...listed, ...edited])].toSorted());
        expect(pendingEdits(tasks, given)).toHaveLength(edited.filter((id) => !listed.includes(id)).length);
      }),
    );
  });
});

describe('settings', () => {
  it.each([
    [{ 'loop.agent': '"a"' }, { 'loop.agent': '"a"' }, []],
    [{ 'limits.x': '1' }, { 'limits.x': '2' }, ['- limits.x = 1', '+ limits.x = 2']],
    [{}, { 'runners.x.argv': '["a"]' }, ['+ runners.x.argv = ["a"]']],
    [{ 'gates.timeout': '1' }, {}, ['- gates.timeout = 1']],
  ])('%j → %j', (before, now, lines) => {
    expect(settingLines(before as Record<string, string>, now as Record<string, string>)).toEqual(lines);
  });

  it('of notes and output protect nothing', () => {
    const all = {
      'review.enabled': 'true',
      'output.keep_runs': '1',
      'files.notes': '[]',
      'box.mode': '"off"',
    };
    expect(Object.keys(protecting(all))).toEqual(['review.enabled', 'box.mode']);
  });
});
