import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openTurns } from '../../../src/loop/turns.ts';

/** Resolves once the code that waited for resolved promises has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const NOT_ABORTED = new AbortController().signal;

function wanted(taskId: string, priority: number | null, lands: boolean) {
  return { taskId, priority: () => priority, lands };
}

describe('turns at the gates', () => {
  it.each([
    [
      'in the order in which they came',
      [
        ['a', null],
        ['b', null],
        ['c', null],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'the most urgent first',
      [
        ['a', null],
        ['b', 2],
        ['c', 1],
      ],
      ['a', 'c', 'b'],
    ],
  ] as const)('are given to results one at a time, %s', async (_how, all, order) => {
    const turns = openTurns(4);
    const got: string[] = [];
    const run = async (id: string, priority: number | null) => {
      const turn = await turns.enter(wanted(id, priority, true), NOT_ABORTED);
      got.push(id);
      await settled();
      turn.leave();
    };
    await Promise.all(all.map(([id, priority]) => run(id, priority)));
    expect(got).toEqual(order);
  });

  it('are given to results before attempts that claim nothing', async () => {
    const turns = openTurns(1);
    const first = await turns.enter(wanted('first', null, false), NOT_ABORTED);
    const got: string[] = [];
    void turns.enter(wanted('unfinished', 1, false), NOT_ABORTED).then(() => got.push('unfinished'));
    void turns.enter(wanted('result', null, true), NOT_ABORTED).then(() => got.push('result'));
    expect(turns.waiting().map(({ taskId }) => taskId)).toEqual(['result', 'unfinished']);
    first.leave();
    await settled();
    expect(got).toEqual(['result']);
  });

  it('are as many as there are places, and one for what lands', async () => {
    const turns = openTurns(2);
    const got: string[] = [];
    const enter = (id: string, lands: boolean) =>
      turns.enter(wanted(id, null, lands), NOT_ABORTED).then((turn) => {
        got.push(id);
        return turn;
      });
    const one = enter('one', true);
    void enter('two', true);
    void enter('unfinished', false);
    await settled();
    expect(got).toEqual(['one', 'unfinished']);
    (await one).leave();
    await settled();
    expect(got).toEqual(['one', 'unfinished', 'two']);
  });

  it('are waited for again by whoever left', async () => {
    const turns = openTurns(1);
    const one = await turns.enter(wanted('one', null, true), NOT_ABORTED);
    await one.retake();
    one.leave();
    one.leave();
    const two = await turns.enter(wanted('two', null, true), NOT_ABORTED);
    const back = one.retake();
    expect(turns.waiting().map(({ taskId }) => taskId)).toEqual(['one']);
    two.leave();
    await back;
    expect(turns.waiting()).toEqual([]);
  });

  it('are given up by whoever is to stop, who gets none', async () => {
    const turns = openTurns(1);
    const one = await turns.enter(wanted('one', null, true), NOT_ABORTED);
    const stop = new AbortController();
    const two = turns.enter(wanted('two', null, true), stop.signal);
    const three = turns.enter(wanted('three', null, true), NOT_ABORTED);
    stop.abort();
    (await two).leave();
    expect(turns.waiting().map(({ taskId }) => taskId)).toEqual(['three']);
    one.leave();
    await three;
    (await turns.enter(wanted('four', null, true), stop.signal)).leave();
  });

  it('follow what you put first while they wait', async () => {
    const turns = openTurns(1);
    await turns.enter(wanted('one', null, true), NOT_ABORTED);
    let first = 3;
    void turns.enter(wanted('two', 2, true), NOT_ABORTED);
    void turns.enter({ taskId: 'three', priority: () => first, lands: true }, NOT_ABORTED);
    expect(turns.waiting().map(({ taskId }) => taskId)).toEqual(['two', 'three']);
    first = 0;
    expect(turns.waiting().map(({ taskId }) => taskId)).toEqual(['three', 'two']);
  });

  it('are not needed to write the checkout, which is done one after the other, whatever fails', async () => {
    const turns = openTurns(1);
    const seen: string[] = [];
    const write = (name: string, fails = false) =>
      turns.exclusive(async () => {
        seen.push(`${name} begins`);
        await settled();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const all = [write('one'), write('two', true), write('three')];
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(seen).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });
});

it('keeps nothing of those that got their turn', async () => {
  const turns = openTurns(1);
  const stop = new AbortController();
  for (let number = 1; number <= 20; number += 1)
    (await turns.enter(wanted(`T-${number}`, null, true), stop.signal)).leave();
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

it('pushes go one after the other, and hold up no landing', async () => {
  const turns = openTurns(1);
  const done: string[] = [];
  let release = () => {};
  const first = turns.pushing(() =>
    new Promise<void>((resolve) => (release = resolve)).then(() => void done.push('first')),
  );
  const second = turns.pushing(async () => void done.push('second'));
  await turns.exclusive(async () => void done.push('landing'));
  await settled();
  release();
  await Promise.all([first, second]);
  expect(done).toEqual(['landing', 'first', 'second']);
});
