import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, EMPTY_TASK_STATE, type State } from '../../../src/domain/records/state.ts';
import { awaitNews, openWorkerStop, watchWorkerStops } from '../../../src/loop/watch/worker-stop.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');
const at = (second: number) => new Date(START + second * 1000).toISOString();

/** A journal that says this from a second on; time passes by what is slept, for ten seconds. */
function world(after: number, change: Partial<State>, isStopped = false) {
  let second = 0;
  let state: State = EMPTY_STATE;
  const over = new AbortController();
  const ports = {
    stop: { polite: { aborted: isStopped } },
    clock: {
      now: () => at(second),
      sleep: async (ms: number) => {
        second += ms / 1000;
        if (second >= 10) over.abort();
      },
    },
    store: {
      get state() {
        return state;
      },
      refresh: () => {
        if (second >= after) state = { ...EMPTY_STATE, ...change, seq: after };
        return state;
      },
    },
  };
  return { context: { ports: ports as never }, over: over.signal, passed: () => second };
}

const task = (more: Partial<State['tasks'][string]>) => ({ tasks: { A: { ...EMPTY_TASK_STATE, ...more } } });

describe('a worker that has nothing to start', () => {
  it.each<[string, Partial<State>, string | null, number]>([
    ['nothing happens', {}, null, 10],
    ['an attempt of another worker is at its gates', { workplaces: [] }, null, 10],
    ['a task that is worked at changes', { tasks: { B: { ...EMPTY_TASK_STATE, parked: true } } }, null, 10],
    ['you release a task', task({ held: true }), null, 4],
    ['you unblock one', task({ parked: true }), null, 4],
    ['you put one first', { first: ['A'] }, null, 4],
    [
      'you stop the run',
      { control: { run: 'r', stop: 'after_attempt', pausedAt: null, stoppedWorkers: [] } },
      null,
      4,
    ],
    ['the time of a wait is over', {}, at(7), 7],
  ])('looks again once %s', async (_what, change, until, second) => {
    const { context, over, passed } = world(4, change);
    await awaitNews(context, { working: ['B'], until }, over);
    expect(passed()).toBe(second);
  });

  it.each([
    ['where no other one is at work', [], 1],
    ['not while another one ends what it is at', ['B'], 10],
  ])('looks again at Ctrl-C %s', async (_what, working, second) => {
    const { context, over, passed } = world(4, {}, true);
    await awaitNews(context, { working, until: null }, over);
    expect(passed()).toBe(second);
  });
});

describe('a stop of one worker', () => {
  it('is looked for every second until the run is over', async () => {
    const { context, over } = world(4, {});
    let looks = 0;
    const endStopped = () => {
      looks += 1;
    };
    await watchWorkerStops(context, endStopped, over);
    expect(looks).toBe(9);
  });

  it('stops no other worker; the signal of the run stops it, too', () => {
    const run = new AbortController();
    const signal = {
      polite: run.signal,
      forced: run.signal,
      reason: () => (run.signal.aborted ? ('SIGINT' as const) : null),
    };
    const [one, other] = [openWorkerStop(signal), openWorkerStop(signal)];
    one.stop();
    expect([one, other].map((each) => [each.signal.polite.aborted, each.signal.reason()])).toEqual([
      [true, 'ralph workers stop'],
      [false, null],
    ]);
    run.abort();
    expect([one, other].map((each) => [each.signal.polite.aborted, each.signal.reason()])).toEqual([
      [true, 'SIGINT'],
      [true, 'SIGINT'],
    ]);
  });
});
