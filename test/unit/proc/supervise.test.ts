import type { TreeEnd } from 'ralph-box/launch/running';
import { deferred } from 'ralph-kit/deferred';
import type { MainExit } from 'ralph-kit/programs/table/signals';
import { describe, expect, it } from 'vitest';
import { type Supervised, supervise } from '../../../src/io/proc/supervise.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

/** Starts a supervised program whose process is played by the test. */
function start(idleMs = 0, isClosing = false, graceMs = 5000) {
  const clock = virtualClock();
  const stop = manualStop();
  const mainExit = deferred<MainExit>();
  const treeEnd = deferred<TreeEnd>();
  const broken = deferred<unknown>();
  const calls: string[] = [];
  const life = { outputBytes: 0, cpuMs: 0 as number | null };
  /** State of a wait for you, during which no time limit counts. */
  const waits = { isOpen: false, totalMs: 0 };
  const waiting = { isOpen: () => waits.isOpen, totalMs: () => waits.totalMs };
  let result: Supervised | null = null;
  const running = {
    mainExit: mainExit.promise,
    treeEnd: treeEnd.promise,
    terminate: () => calls.push('terminate'),
    kill: () => calls.push('kill'),
    tree: () => ({ program: null, others: [] }),
    memoryMib: () => null,
  };
  const activity = { outputBytes: () => life.outputBytes, cpuMs: () => life.cpuMs };
  const limits = { wallMs: 60_000, idleMs, graceMs };
  const closing = {
    ...{ over: new Promise<void>(() => undefined), isOpen: () => isClosing },
    ...{ onEvent: () => undefined, stop: () => undefined },
  };
  void supervise({ running, limits, stop, activity, closing, waiting, broken: broken.promise }, clock).then(
    (value) => {
      result = value;
    },
  );
  /** So many milliseconds pass, a part of a second at a time, while it waits for you. */
  const waitFor = async (ms: number) => {
    waits.isOpen = true;
    for (let passed = 0; passed < ms; passed += 500) {
      waits.totalMs += 500;
      await clock.pass(500);
    }
    waits.isOpen = false;
  };
  return { clock, stop, mainExit, treeEnd, broken, calls, life, waitFor, result: () => result };
}

const DONE = { kind: 'exited', code: 0 } as const;
const EMPTY = { leftBehind: 0, survivors: 0 };

describe('supervise', () => {
  it('gives the exit of the main process when nothing is left', async () => {
    const { clock, mainExit, treeEnd, calls, result } = start();
    mainExit.resolve(DONE);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()).toEqual({ cause: { kind: 'ended', exit: DONE }, tree: EMPTY });
    expect(calls).toEqual([]);
  });

  it('kills what is left behind after its short grace', async () => {
    const { clock, mainExit, treeEnd, calls, result } = start();
    mainExit.resolve(DONE);
    await clock.pass(299);
    expect(calls).toEqual([]);
    await clock.pass(1);
    expect(calls).toEqual(['kill']);
    treeEnd.resolve({ leftBehind: 2, survivors: 0 });
    await clock.pass(0);
    expect(result()?.tree.leftBehind).toBe(2);
  });

  it('asks nothing of a program that gets no time to end: it is killed', async () => {
    const { clock, calls } = start(0, false, 0);
    await clock.pass(60_000);
    expect(calls).toEqual(['kill']);
  });

  it.each([
    ['the wall limit', 0, 60_000],
    ['the idle limit', 10_000, 10_000],
  ])('counts no time for %s in which it waits for you', async (_what, idleMs, limit) => {
    const { clock, calls, treeEnd, waitFor, result } = start(idleMs);
    await clock.pass(limit / 2);
    await waitFor(200_000);
    expect(calls).toEqual([]);
    await clock.pass(limit / 2 - 2000);
    expect(calls).toEqual([]);
    await waitFor(100_000);
    await clock.pass(limit + 4000);
    expect(calls[0]).toBe('terminate');
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    const { cause } = result() ?? {};
    expect(cause).toMatchObject({ kind: 'timed_out' });
    expect(cause?.kind === 'timed_out' && cause.afterMs).toBeLessThan(3 * limit);
  });

  it('terminates at the wall limit, kills after the grace, and waits for the end', async () => {
    const { clock, mainExit, treeEnd, calls, result } = start();
    await clock.pass(59_999);
    expect(calls).toEqual([]);
    await clock.pass(1);
    expect(calls).toEqual(['terminate']);
    await clock.pass(5000);
    expect(calls).toEqual(['terminate', 'kill']);
    expect(result()).toBeNull();
    mainExit.resolve({ kind: 'signalled', signal: 'SIGKILL' });
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'timed_out', which: 'wall', afterMs: 60_000 });
  });

  it('keeps the first cause: a stop during the grace of a timeout is still a timeout', async () => {
    const { clock, stop, treeEnd, calls, result } = start();
    await clock.pass(60_000);
    stop.stop();
    await clock.pass(0);
    expect(calls).toEqual(['terminate']);
    stop.force();
    await clock.pass(0);
    expect(calls).toEqual(['terminate', 'kill']);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause.kind).toBe('timed_out');
  });

  it('keeps the first cause: a program that ends at the wall limit has ended', async () => {
    const { clock, mainExit, treeEnd, result } = start();
    mainExit.resolve(DONE);
    await clock.pass(0);
    await clock.pass(60_000);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'ended', exit: DONE });
  });

  it('hears of an end that came while ralph was suspended before it sees that the limit has passed', async () => {
    const { clock, mainExit, treeEnd, calls, result } = start();
    clock.suspend(70_000);
    // The timer fires first, and the message comes right after it.
    setImmediate(() => setImmediate(() => mainExit.resolve(DONE)));
    await clock.pass(0);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'ended', exit: DONE });
    expect(calls).toEqual([]);
  });

  it.each([
    ['wall', 0],
    ['idle', 10_000],
  ])('a program with its result has not run into the %s limit', async (_which, idleMs) => {
    const { clock, treeEnd, calls, result } = start(idleMs, true);
    await clock.pass(60_000);
    expect(calls[0]).toBe('terminate');
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'lingered' });
  });

  it('ends politely at the first stop', async () => {
    const { clock, stop, mainExit, treeEnd, calls, result } = start();
    stop.stop();
    await clock.pass(0);
    expect(calls).toEqual(['terminate']);
    mainExit.resolve({ kind: 'signalled', signal: 'SIGTERM' });
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'interrupted', signal: 'SIGINT', forced: false });
  });

  it('kills at the second stop', async () => {
    const { clock, stop, treeEnd, calls, result } = start();
    stop.stop();
    await clock.pass(10);
    stop.force();
    await clock.pass(0);
    expect(calls).toEqual(['terminate', 'kill']);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'interrupted', signal: 'SIGINT', forced: true });
  });

  it('kills at once when both stops come together', async () => {
    const { clock, stop, treeEnd, calls, result } = start();
    stop.force();
    await clock.pass(0);
    expect(calls).toEqual(['kill']);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'interrupted', signal: 'SIGINT', forced: true });
  });

  it('kills when the work beside it breaks', async () => {
    const { clock, broken, treeEnd, calls, result } = start();
    broken.resolve(new Error('a bug'));
    await clock.pass(0);
    expect(calls).toEqual(['kill']);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'broken', error: new Error('a bug') });
  });
});

describe('the idle limit', () => {
  it('ends a silent tree that does not compute', async () => {
    const { clock, treeEnd, calls, result } = start(10_000);
    await clock.pass(9999);
    expect(calls).toEqual([]);
    await clock.pass(1);
    expect(calls).toEqual(['terminate']);
    treeEnd.resolve(EMPTY);
    await clock.pass(0);
    expect(result()?.cause).toEqual({ kind: 'timed_out', which: 'idle', afterMs: 10_000 });
  });

  it.each([
    ['output', { bytes: 1, cpu: 0 }],
    ['processor time', { bytes: 0, cpu: 30 }],
  ])('takes %s as a sign of life', async (_name, growth) => {
    const { clock, life, calls } = start(10_000);
    for (let second = 0; second < 30; second += 1) {
      life.outputBytes += growth.bytes;
      life.cpuMs = (life.cpuMs ?? 0) + growth.cpu;
      await clock.pass(1000);
    }
    expect(calls).toEqual([]);
    await clock.pass(11_000);
    expect(calls[0]).toBe('terminate');
  });

  it('does not take the timers of a waiting program for work', async () => {
    const { clock, life, calls } = start(10_000);
    for (let second = 0; second < 10; second += 1) {
      life.cpuMs = (life.cpuMs ?? 0) + 10;
      await clock.pass(1000);
    }
    expect(calls).toEqual(['terminate']);
  });

  it('reads the output alone where processor time is not known', async () => {
    const { clock, life, calls } = start(10_000);
    life.cpuMs = null;
    await clock.pass(5000);
    life.outputBytes = 5;
    await clock.pass(10_000);
    expect(calls).toEqual([]);
    await clock.pass(1000);
    expect(calls).toEqual(['terminate']);
  });

  it('takes it as a sign of life when the processor time of an ended process is lost', async () => {
    const { clock, life, calls } = start(10_000);
    life.cpuMs = 5000;
    await clock.pass(9000);
    life.cpuMs = 100;
    await clock.pass(10_000);
    expect(calls).toEqual([]);
    await clock.pass(1000);
    expect(calls).toEqual(['terminate']);
  });

  it('gives a program its time again when ralph was suspended', async () => {
    const { clock, calls } = start(10_000);
    await clock.pass(1000);
    clock.suspend(30_000);
    await clock.pass(9000);
    expect(calls).toEqual([]);
    await clock.pass(1000);
    expect(calls).toEqual(['terminate']);
  });

  it('is off at 0', async () => {
    const { clock, calls } = start(0);
    await clock.pass(59_000);
    expect(calls).toEqual([]);
  });
});
