import { describe, expect, it } from 'vitest';
import { standings } from '../../../src/decide/choice/available-agent.ts';
import type { AgentFacts } from '../../../src/domain/choice.ts';
import type { LoopEvent } from '../../../src/domain/loop-event.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE, type State, type Unavailable } from '../../../src/domain/records/state.ts';
import { waitForAgent } from '../../../src/loop/wait.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const LIMIT: Unavailable = {
  ...{ kind: 'rate_limited', message: 'full', since: iso(0), tries: 1, resetKnown: true },
  until: iso(600),
};

type Turn = { readonly wallSeconds?: number; readonly stop?: boolean; readonly reinstate?: boolean };

/** Waits ten minutes, in a world where this happens at the Nth sleep; its clocks advance by what is slept. */
async function wait(turns: Readonly<Record<number, Turn>> = {}) {
  const stop = new AbortController();
  const events: LoopEvent[] = [];
  let [wall, monotonic, sleeps, views] = [START, 500, 0, 0];
  let state: State = {
    ...EMPTY_STATE,
    profiles: { a: { ...emptyProfile('a'), unavailable: LIMIT } },
  };
  const facts: AgentFacts = { agents: [...standings(state, ['a'])], now: iso(0), maxWaitSeconds: 3600 };
  const ports = {
    clock: {
      now: () => new Date(wall).toISOString(),
      monotonicMs: () => monotonic,
      sleep: async (ms: number) => {
        if (!(ms > 0)) throw new Error(`slept ${ms} ms`);
        sleeps += 1;
        const turn = turns[sleeps] ?? {};
        wall += ms + (turn.wallSeconds ?? 0) * 1000;
        monotonic += ms;
        if (turn.stop) stop.abort();
        if (turn.reinstate) state = { ...state, profiles: {} };
      },
    },
    store: {
      refresh: () => state,
      writeViews: () => {
        views += 1;
      },
    },
    stop: { polite: stop.signal },
    emit: (event: LoopEvent) => events.push(event),
  };
  const asked = {
    wait: { agent: 'a', cause: 'rate_limited' as const, until: iso(600) },
    reason: 'full',
    facts,
  };
  await waitForAgent({ ports: ports as never }, asked);
  return { events, sleeps, waitedSeconds: (monotonic - 500) / 1000, views };
}

describe('a wait', () => {
  it('is told at its beginning and at its end, and the documents are written before it', async () => {
    const { events, waitedSeconds, views } = await wait();
    expect(events).toEqual([
      { kind: 'waiting', agent: 'a', cause: 'rate_limited', reason: 'full', until: iso(600) },
      { kind: 'waited', agent: 'a', durationMs: 600_000, stopped: false },
    ]);
    expect([waitedSeconds, views]).toEqual([600, 1]);
  });

  it.each([
    ['notices that a laptop slept over its end', { 3: { wallSeconds: 7200 } }, 6],
    ['is not prolonged by a clock that is set back', { 3: { wallSeconds: -7200 } }, 600],
    ['ends when the user stops the run', { 2: { stop: true } }, 4],
    ['ends when the user says that it is over', { 2: { reinstate: true } }, 4],
  ] as const)('%s', async (_name, turns, seconds) => {
    expect((await wait(turns)).waitedSeconds).toBe(seconds);
  });

  it('says when it was stopped', async () => {
    expect((await wait({ 1: { stop: true } })).events.at(-1)).toMatchObject({ stopped: true });
  });
});
