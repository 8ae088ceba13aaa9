import { describe, expect, it } from 'vitest';
import type { ComputedLine, Open } from '../../../src/git/line/compute-line.ts';
import { landable, updatesOf } from '../../../src/git/line/land-results.ts';
import { afterLook, keeping, NO_MEMORY } from '../../../src/git/line/open-line.ts';
import type { KeptResult } from '../../../src/git/line/results.ts';

function result(taskId: string, number: number, held: string | null = null): KeptResult {
  const name = `${taskId}/${number}`;
  return {
    taskId,
    number,
    name,
    held,
    commit: `c-${name}`,
    parent: 'p',
    tree: 't',
    date: 0,
    message: '',
    order: number,
    ref: 'refs/heads/main',
    needs: [],
  };
}

function open(one: KeptResult): Open {
  return { result: one, at: `at-${one.name}`, tree: 't' };
}

const line: ComputedLine = {
  tip: 'tip',
  checkoutBase: 'tip',
  commit: 'tip',
  tree: 't',
  chain: [],
  results: [],
  withdrawn: [{ taskId: 'A', number: 1 }],
  held: new Map(),
  isSettled: true,
  stashed: null,
};

describe('after reading the line', () => {
  it('is remembered under its refs once it is settled', () => {
    const memory = afterLook(NO_MEMORY, { state: 's', line, isKnown: false }, true);
    expect(memory.last).toEqual({ state: 's', line });
    const moving = { state: 's', line: { ...line, isSettled: false }, isKnown: false };
    expect(afterLook(memory, moving, true).last).toBeNull();
  });

  it('is not remembered without commits, as work in files shows in no ref', () => {
    expect(afterLook(NO_MEMORY, { state: 's', line, isKnown: false }, false).last).toBeNull();
  });

  it('names each withdrawn result once, however often the same line is seen', () => {
    const once = afterLook(NO_MEMORY, { state: 's', line, isKnown: false }, true);
    const twice = afterLook(once, { state: 's', line, isKnown: true }, true);
    expect(twice.withdrawn).toEqual([{ taskId: 'A', number: 1 }]);
  });
});

describe('results that may land', () => {
  const chain = ['A', 'B', 'C'].map((task) => open(result(task, 1)));
  const held = new Map<string, string>();
  const names = (members: readonly Open[]) => members.map((one) => one.result.name);

  it('end before the first that you hold back or that hooks refused', () => {
    expect(names(landable({ chain, held }, () => false))).toEqual(['A/1', 'B/1', 'C/1']);
    expect(names(landable({ chain, held }, (task) => task === 'C'))).toEqual(['A/1', 'B/1']);
    expect(names(landable({ chain, held: new Map([['B/1', 'c']]) }, () => false))).toEqual(['A/1']);
  });

  it('have the first among them, which is decided on before', () => {
    expect(names(landable({ chain, held: new Map([['A/1', 'c']]) }, (task) => task === 'A'))).toEqual([
      'A/1',
      'B/1',
      'C/1',
    ]);
  });
});

describe('keeping a prepared result', () => {
  const marks = {
    landed: new Map([['A/1', 'x']]),
    withdrawn: new Map(),
    superseded: new Map(),
    held: new Map(),
  };

  it('supersedes those of its task that have not landed', () => {
    const keptResults = [result('A', 1), result('A', 2), result('B', 1)];
    expect(keeping('refs/ralph', result('A', 3), { keptResults, marks })).toEqual([
      'create refs/ralph/results/A/3 c-A/3',
      'delete refs/ralph/prepared/A/3',
      'update refs/ralph/superseded/A/2 c-A/2',
    ]);
  });

  it('marks one that hooks refused', () => {
    const updates = keeping('refs/ralph', result('A', 1, 'lint'), { keptResults: [], marks });
    expect(updates).toContain('create refs/ralph/held/A/1 c-A/1');
  });
});

describe('the updates of a landing', () => {
  const tree = { top: '/r', gitDir: '/r/.git', commonDir: '/r/.git', ownFolder: null, view: null };
  const move = { to: 'new', marks: ['update refs/ralph/landed/A/1 new'] };
  const updates = (commits: boolean, ref: string, isNew = false) =>
    updatesOf({ tree, commits }, { ref, tip: 'tip' }, move, isNew);

  it('move the branch from the tip that was seen, with the marks', () => {
    expect(updates(true, 'refs/heads/main')).toEqual([
      'update refs/heads/main new tip',
      'update refs/ralph/seen/refs=2fheads=2fmain new',
      'update refs/ralph/landed/A/1 new',
    ]);
    expect(updates(true, 'refs/heads/work', true)[0]).toBe('create refs/heads/work new');
  });

  it('move a detached HEAD itself', () => {
    expect(updates(true, 'HEAD').slice(0, 2)).toEqual(['option no-deref', 'update HEAD new tip']);
  });

  it('leave the branch alone without commits', () => {
    expect(updates(false, 'refs/heads/main')).toEqual([
      'update refs/ralph/standing/refs=2fheads=2fmain new',
      'update refs/ralph/landed/A/1 new',
    ]);
  });
});
