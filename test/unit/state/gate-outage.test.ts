import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { attempt, finished, numbered, RUN, started, time } from './records.ts';

type Step = readonly [taskId: string, down: string[], up: string[]];

/** Each attempt ends in a minute of its own; one whose gates are down alone waits for them. */
function stateAfter(...steps: readonly Step[]) {
  const bodies = steps.flatMap(([taskId, down, up], index) => {
    const iteration = index + 1;
    const verdict = down.length > 0 ? 'gate_down' : 'progress';
    const gatesNow = { down, up };
    return [
      started(iteration, taskId),
      finished(iteration, { taskId, gatesNow, attempt: attempt({ iteration, verdict }) }),
    ];
  });
  return foldRecords(EMPTY_STATE, numbered([RUN, ...bodies]));
}

/** Of the record of an iteration: the run's own is the first. */
const at = (iteration: number) => time(1 + 2 * iteration);
const later = (from: string, minutes: number) => new Date(Date.parse(from) + minutes * 60_000).toISOString();

describe('gates that are down', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 16],
    [6, 30],
    [9, 30],
  ])('are asked again, the %d. time after %d minutes', (tries, minutes) => {
    const { outage } = stateAfter(...Array.from({ length: tries }, (): Step => ['A', ['test'], []]));
    const expected = {
      gates: ['test'],
      since: at(1),
      tries,
      until: later(at(tries), minutes),
      idleSince: at(1),
    };
    expect(outage).toEqual(expected);
  });

  it('are known until they pass, each of them', () => {
    const both: Step = ['A', ['test', 'lint'], []];
    expect(stateAfter(both, ['B', [], []]).outage).toMatchObject({ gates: ['test', 'lint'], tries: 1 });
    expect(stateAfter(both, ['B', [], ['lint']]).outage).toMatchObject({ gates: ['test'], tries: 1 });
    expect(stateAfter(both, ['B', [], ['lint', 'test']]).outage).toBeNull();
  });

  it('leave the run idle from the last attempt on that they did not keep', () => {
    expect(stateAfter(['A', ['test'], []], ['B', [], []], ['A', ['test'], []]).outage?.idleSince).toBe(at(2));
  });

  it('keep finished work until its task is tried or judged again', () => {
    const document = 'runs/r-1/iterations/0001/iteration.json';
    expect(stateAfter(['A', ['test'], []]).tasks.A?.finished).toBe(document);
    expect(stateAfter(['A', ['test'], []], ['B', [], []]).tasks.A?.finished).toBe(document);
    expect(stateAfter(['A', ['test'], []], ['A', [], ['test']]).tasks.A?.finished).toBeNull();
  });

  it('are unknown to the next run, which judges what waited', () => {
    const known = stateAfter(['A', ['test'], []]);
    const next = foldRecords(known, numbered([{ ...RUN, run: 'r-2' }], known.seq + 1));
    expect(next.outage).toBeNull();
    expect(next.tasks.A?.finished).not.toBeNull();
  });
});
