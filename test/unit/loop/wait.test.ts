import { describe, expect, it } from 'vitest';
import { agentAvailability } from '../../../src/decide/choice/available-agent.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import type { AgentFacts } from '../../../src/domain/records/choice.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { controlOf, type RunRequest } from '../../../src/domain/records/run-control.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import type { Unavailable } from '../../../src/domain/service.ts';
import { waitForAgent, waitWhilePaused } from '../../../src/loop/wait.ts';
import { withRequest } from '../../../src/state/fold.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const RUN = 'r-1';
const LIMIT: Unavailable = {
  ...{ kind: 'rate_limited', message: 'full', since: iso(0), tries: 1, resetKnown: true },
  until: iso(600),
};

type Turn = {
  readonly wallSeconds?: number;
  readonly stop?: boolean;
  readonly reinstate?: boolean;
  readonly request?: RunRequest;
};

/** A world where this happens at the Nth sleep; its clocks advance by what is slept. */
function world(turns: Readonly<Record<number, Turn>>, run = RUN) {
  const stop = new AbortController();
  const events: Entry[] = [];
  let [wall, monotonic, sleeps, views] = [START, 500, 0, 0];
  let state: State = {
    ...EMPTY_STATE,
    profiles: { a: { ...emptyProfile('a'), unavailable: LIMIT } },
  };
  const ports = {
    clock: {
      now: () => new Date(wall).toISOString(),
      monotonicMs: () => monotonic,
      processorMs: () => 0,
      sleep: async (ms: number) => {
        if (!(ms > 0)) throw new Error(`slept ${ms} ms`);
        sleeps += 1;
        const turn = turns[sleeps] ?? {};
        wall += ms + (turn.wallSeconds ?? 0) * 1000;
        monotonic += ms;
        if (turn.stop) stop.abort();
        if (turn.reinstate) state = { ...state, profiles: {} };
        const { request } = turn;
        if (request !== undefined)
          state = { ...state, control: { run, ...withRequest(controlOf(state, run), request, iso(sleeps)) } };
      },
    },
    store: {
      get state() {
        return state;
      },
      refresh: () => state,
      commit: (entries: readonly Entry[]) => events.push(...entries),
      writeViews: () => {
        views += 1;
      },
    },
    stop: { polite: stop.signal },
  };
  const seen = () => ({ events, sleeps, waitedSeconds: (monotonic - 500) / 1000, views });
  return { ports: ports as never, state, seen };
}

const LIMITED = { agent: 'a', cause: 'rate_limited' as const, until: iso(600) };

/** Waits ten minutes for an agent; `turns` says what happens meanwhile. */
async function wait(turns: Readonly<Record<number, Turn>> = {}, asksGatesAt: string | null = null) {
  const { ports, state, seen } = world(turns);
  const agents = [...agentAvailability(state, ['a'])];
  const facts: AgentFacts = { agents, now: iso(0), maxWaitSeconds: 3600, runUntil: null };
  const asked = {
    wait: LIMITED,
    reason: 'full',
    facts,
    asksGatesAt,
  };
  await waitForAgent({ ports, run: RUN, runUntil: null }, asked);
  return seen();
}

describe('a wait', () => {
  it('is told at its beginning and at its end, and the documents are written before it', async () => {
    const { events, waitedSeconds, views } = await wait();
    expect(events).toEqual([
      { type: 'wait_started', wait: { for: 'agent', ...LIMITED, reason: 'full', working: 0 } },
      { type: 'wait_finished', for: 'agent', durationMs: 600_000, over: true },
    ]);
    expect([waitedSeconds, views]).toEqual([600, 1]);
  });

  it.each([
    ['notices that a laptop slept over its end', { 3: { wallSeconds: 7200 } }, 6],
    ['is not prolonged by a clock that is set back', { 3: { wallSeconds: -7200 } }, 600],
    ['ends when the user stops the run', { 2: { stop: true } }, 4],
    ['ends when the user says that it is over', { 2: { reinstate: true } }, 4],
    ['ends at ralph stop', { 2: { request: 'stop' } }, 4],
    ['ends at ralph pause', { 2: { request: 'pause' } }, 4],
  ] as const)('%s', async (_name, turns, seconds) => {
    expect((await wait(turns)).waitedSeconds).toBe(seconds);
  });

  it('ends when finished work is judged again', async () => {
    expect((await wait({}, iso(60))).waitedSeconds).toBe(60);
    expect((await wait({}, iso(3600))).waitedSeconds).toBe(600);
  });

  it('says when it was stopped', async () => {
    expect((await wait({ 1: { stop: true } })).events.at(-1)).toMatchObject({ over: false });
  });
});

/** Waits in a run that was paused at the first moment. */
async function paused(turns: Readonly<Record<number, Turn>>, runUntil: string | null = null, run = RUN) {
  const { ports, seen } = world({ 1: { request: 'pause' }, ...turns }, run);
  // The request to pause exists before the wait begins.
  await (ports as { clock: { sleep: (ms: number) => Promise<void> } }).clock.sleep(2000);
  await waitWhilePaused({ ports, run: RUN, runUntil }, iso(1));
  return seen();
}

describe('a pause', () => {
  it.each([
    ['ralph continue', { 4: { request: 'continue' } }, null, 8, true],
    ['ralph stop', { 4: { request: 'stop' } }, null, 8, false],
    ['Ctrl-C', { 4: { stop: true } }, null, 8, false],
    ['the time of --until', {}, iso(7), 8, false],
  ] as const)('ends at %s', async (_what, turns, until, seconds, continued) => {
    const { events, waitedSeconds, views } = await paused(turns, until);
    expect([waitedSeconds, views]).toEqual([seconds, 1]);
    expect(events).toEqual([
      { type: 'wait_started', wait: { for: 'you', since: iso(1) } },
      { type: 'wait_finished', for: 'you', durationMs: (seconds - 2) * 1000, over: continued },
    ]);
  });

  it("isn't ended by a change of the agents, nor by a second pause", async () => {
    const turns = { 3: { reinstate: true }, 5: { request: 'pause' }, 9: { request: 'continue' } } as const;
    expect((await paused(turns)).waitedSeconds).toBe(18);
  });

  it('of another run holds nothing up', async () => {
    expect((await paused({}, null, 'r-2')).waitedSeconds).toBe(4);
  });
});
