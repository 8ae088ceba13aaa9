import { expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';
import { awaitAnswer } from '../../../src/loop/await-answer.ts';
import type { LoopContext } from '../../../src/loop/context.ts';
import type { Notifier } from '../../../src/loop/notifier.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { blockedRecord, finished, numbered, RUN, started, UNBLOCKED } from '../state/records.ts';

const START = Date.parse('2026-01-01T12:00:00.000Z');
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();

const ASKING = foldRecords(
  EMPTY_STATE,
  numbered([RUN, started(1), finished(1, { blocked: blockedRecord({ reason: 'agent_reported_blocked' }) })]),
);
const ANSWERED = foldRecords(ASKING, numbered([UNBLOCKED], 4));

type World = {
  readonly isAsked?: boolean;
  readonly maxWait?: number;
  readonly until?: string;
  readonly tasks?: readonly string[];
  /** Number of seconds after which the answer comes. */
  readonly answered?: number;
  readonly stopped?: number;
};

/** Waits for an answer in a world whose clock passes with each sleep. */
async function waits({ isAsked = true, maxWait = 600, until, tasks = ['A'], answered, stopped }: World) {
  const stop = new AbortController();
  const entries: Entry[] = [];
  let seconds = 0;
  let state: State = ASKING;
  const context = {
    ports: {
      clock: {
        now: () => iso(seconds),
        monotonicMs: () => seconds * 1000,
        sleep: async (ms: number) => {
          seconds += ms / 1000;
          if (answered !== undefined && seconds >= answered) state = ANSWERED;
          if (stopped !== undefined && seconds >= stopped) stop.abort();
        },
      },
      store: {
        get state() {
          return state;
        },
        refresh: () => state,
        commit: (given: readonly Entry[]) => entries.push(...given),
        writeViews: () => undefined,
      },
      stop: { polite: stop.signal },
      notify: { isAsked: () => isAsked },
    },
    config: Config.parse({ loop: { max_wait: maxWait } }),
    ...{ run: 'r-1', runUntil: until ?? null, answerChat: async () => ({ kind: 'later' }) },
  } as unknown as LoopContext;
  const notifier: Notifier = { delivered: async () => undefined, close: async () => undefined };
  const isNews = await awaitAnswer(
    context,
    notifier,
    tasks.map((id) => ({ id })),
  );
  return { isNews, seconds, types: entries.map(({ type }): string => type) };
}

const WAITED = ['wait_started', 'wait_finished'];

it.each<[string, World, Awaited<ReturnType<typeof waits>>]>([
  ['until it is answered', { answered: 60 }, { isNews: true, seconds: 60, types: WAITED }],
  ['as long as for an agent', {}, { isNews: false, seconds: 600, types: WAITED }],
  ['until --until', { until: iso(30) }, { isNews: false, seconds: 30, types: WAITED }],
  ['until you stop the run', { stopped: 5 }, { isNews: true, seconds: 5, types: WAITED }],
  ['not with --no-wait', { maxWait: 0 }, { isNews: false, seconds: 0, types: [] }],
  ['not where no chat took the message', { isAsked: false }, { isNews: false, seconds: 0, types: [] }],
  ['not for a task that left the list', { tasks: ['B'] }, { isNews: false, seconds: 0, types: [] }],
])('a run with nothing else to do waits %s', async (_what, world, outcome) => {
  expect(await waits(world)).toEqual(outcome);
});
