import type { TreeEnd } from 'ralph-box/launch/running';
import { deferred } from 'ralph-kit/deferred';
import { parsePsMemory } from 'ralph-kit/programs/table/process-table';
import type { MainExit } from 'ralph-kit/programs/table/signals';
import { describe, expect, it } from 'vitest';
import { supervise, watchMemory } from '../../../src/io/proc/supervise.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

/** `values`: what is measured at each look; how long a look takes is played with `tookMs`. */
function watch(values: readonly (number | null)[], tookMs = 0) {
  const clock = virtualClock();
  const until = new AbortController();
  const seen: [atMs: number, mib: number][] = [];
  let looks = 0;
  const memoryMib = () => {
    clock.suspend(tookMs);
    looks += 1;
    return values[Math.min(looks, values.length) - 1] ?? null;
  };
  void watchMemory(memoryMib, (mib) => seen.push([clock.monotonicMs(), mib]), clock, until.signal);
  return { clock, until, seen, looks: () => looks };
}

describe('watchMemory', () => {
  it('looks after a quarter of a second, then each second', async () => {
    const { clock, seen } = watch([10, 20, 30]);
    await clock.pass(2250);
    expect(seen).toEqual([
      [250, 10],
      [1250, 20],
      [2250, 30],
    ]);
  });

  it("reports nothing that the system doesn't report, and reads again", async () => {
    const { clock, seen, looks } = watch([null, 20]);
    await clock.pass(1250);
    expect([looks(), seen]).toEqual([2, [[1250, 20]]]);
  });

  it('looks less often where a look takes long', async () => {
    const { clock, looks } = watch([10], 100);
    await clock.pass(350);
    expect(looks()).toBe(1);
    await clock.pass(4990);
    expect(looks()).toBe(1);
    await clock.pass(10);
    expect(looks()).toBe(2);
  });

  it('ends with its signal', async () => {
    const { clock, until, looks } = watch([10]);
    await clock.pass(250);
    until.abort();
    await clock.pass(10_000);
    expect(looks()).toBe(1);
  });
});

describe('supervise', () => {
  function start(onMemory?: (mib: number) => void) {
    const clock = virtualClock();
    const mainExit = deferred<MainExit>();
    const treeEnd = deferred<TreeEnd>();
    let looks = 0;
    const running = {
      mainExit: mainExit.promise,
      treeEnd: treeEnd.promise,
      terminate: () => undefined,
      kill: () => treeEnd.resolve({ leftBehind: 0, survivors: 0 }),
      tree: () => ({ program: null, others: [] }),
      memoryMib: () => {
        looks += 1;
        return 10;
      },
    };
    const supervised = supervise(
      {
        running,
        limits: { wallMs: 60_000, idleMs: 0, graceMs: 5000 },
        stop: manualStop(),
        activity: { outputBytes: () => 0, cpuMs: () => null },
        broken: new Promise(() => undefined),
        ...(onMemory === undefined ? {} : { onMemory }),
      },
      clock,
    );
    return { clock, mainExit, supervised, looks: () => looks };
  }

  it("measures nothing where the result isn't used", async () => {
    const { clock, looks } = start();
    await clock.pass(10_000);
    expect(looks()).toBe(0);
  });

  it('measures until the main process is over', async () => {
    const { clock, mainExit, looks } = start(() => undefined);
    await clock.pass(1250);
    mainExit.resolve({ kind: 'exited', code: 0 });
    await clock.pass(10_000);
    expect(looks()).toBe(2);
  });

  it('ends the program when the listener throws', async () => {
    const error = new Error('a bug');
    const { clock, supervised } = start(() => {
      throw error;
    });
    await clock.pass(250);
    expect((await supervised).cause).toEqual({ kind: 'broken', error });
  });
});

describe('parsePsMemory', () => {
  it.each([
    ['  1234\n 56\n', [1234, 56]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(parsePsMemory(text)).toEqual(expected);
  });
});
