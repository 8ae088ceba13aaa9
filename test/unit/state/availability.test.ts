import { describe, expect, it } from 'vitest';
import { agentAvailability } from '../../../src/decide/choice/available-agent.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, openIterations } from '../../../src/domain/records/state.ts';
import type { Unavailable } from '../../../src/domain/service.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { importViews } from '../../../src/state/import-views.ts';
import { foldRecords, viewDocuments } from '../../../src/state/index.ts';
import { attempt, finished, numbered, RUN, started, time } from './records.ts';

const LIMIT: Unavailable = {
  kind: 'rate_limited',
  message: 'full',
  since: time(3),
  until: time(60),
  tries: 1,
  resetKnown: true,
};
const outside = (unavailable: Unavailable, iteration = 1) =>
  finished(iteration, { attempt: attempt({ iteration, verdict: 'rate_limited' }), unavailable });
const ended = (verdict: VerdictKind, iteration = 2) =>
  finished(iteration, { attempt: attempt({ iteration, verdict }) });
const again: JournalBody = { ...RUN, run: 'r-2' };

function known(...bodies: JournalBody[]) {
  return foldRecords(EMPTY_STATE, numbered([RUN, started(1), ...bodies])).profiles.claude;
}

/** The attempts of these iterations began together, each at a worker of its own, and end in this order. */
function together(
  ...ends: readonly (readonly [iteration: number, unavailable: Unavailable | null, verdict?: VerdictKind])[]
) {
  const at = (iteration: number) => ({ worker: iteration });
  const begun = ends.map(([iteration]) => ({ ...started(iteration), ...at(iteration) }));
  const over = ends.map(
    ([iteration, unavailable, verdict = unavailable === null ? 'done' : 'rate_limited']) => ({
      ...finished(iteration, { attempt: attempt({ iteration, verdict }), unavailable }),
      ...at(iteration),
    }),
  );
  return foldRecords(EMPTY_STATE, numbered([RUN, ...begun, ...over]));
}

describe('attempts that were at work when one of them met a limit', () => {
  const SOON = { ...LIMIT, until: time(20), resetKnown: false };
  const BUSY = { ...SOON, kind: 'throttled' as const };
  const GONE: Unavailable = { ...LIMIT, kind: 'spawn_failed', until: null, resetKnown: false };

  it.each<[string, readonly (readonly [number, Unavailable | null, VerdictKind?])[], Unavailable]>([
    [
      "don't end it by being done",
      [
        [1, LIMIT],
        [2, null],
        [3, null],
      ],
      LIMIT,
    ],
    [
      'nor by failing',
      [
        [1, LIMIT],
        [2, null, 'gates_failed'],
      ],
      LIMIT,
    ],
    [
      'nor by a stop',
      [
        [1, LIMIT],
        [2, null, 'interrupted'],
      ],
      LIMIT,
    ],
    [
      'and meet it once together',
      [
        [1, LIMIT],
        [2, LIMIT],
        [3, LIMIT],
        [4, LIMIT],
      ],
      LIMIT,
    ],
    [
      'or make it longer',
      [
        [1, SOON],
        [2, { ...LIMIT, since: time(4) }],
      ],
      LIMIT,
    ],
    [
      'and never shorter',
      [
        [1, LIMIT],
        [2, SOON],
      ],
      LIMIT,
    ],
    [
      'not by a throttle either',
      [
        [1, LIMIT],
        [2, BUSY],
      ],
      LIMIT,
    ],
    [
      'a throttle that turns out to be a limit is one',
      [
        [1, BUSY],
        [2, LIMIT],
      ],
      LIMIT,
    ],
    [
      'what is given up stays so',
      [
        [1, GONE],
        [2, SOON],
      ],
      GONE,
    ],
  ])('%s', (_name, ends, expected) => {
    expect(together(...ends).profiles.claude?.unavailable).toEqual(expected);
  });

  it('are over: the next attempt that ends shows that it works', () => {
    const state = together([1, LIMIT], [2, null]);
    const next = [started(5), ended('done', 5)];
    expect(foldRecords(state, numbered(next, 20)).profiles.claude?.unavailable).toBeNull();
  });

  it("aren't the ones that try it again; one that began since is", () => {
    const begun = [started(1), { ...started(2), worker: 2 }, outside(SOON)];
    const state = foldRecords(EMPTY_STATE, numbered([RUN, ...begun]));
    expect(agentAvailability(state, ['claude'])).toEqual([
      { name: 'claude', suspended: null, unavailable: SOON },
    ]);
    const again = foldRecords(state, numbered([started(3)], 20));
    expect(agentAvailability(again, ['claude'])).toMatchObject([
      { tried: openIterations(again)[0]?.startedAt },
    ]);
    expect(agentAvailability(again, ['other'])).toEqual([
      { name: 'other', suspended: null, unavailable: null },
    ]);
  });
});

describe('what is known of the availability of an agent', () => {
  it('is kept in its profile, which counts no iteration', () => {
    expect(known(outside(LIMIT))).toMatchObject({ totalIterations: 0, window: [], unavailable: LIMIT });
  });

  it.each([
    ['progress', null],
    ['agent_error', null],
    ['timed_out', null],
    ['interrupted', LIMIT],
  ] as const)('after an attempt that ended as %s is what it says of the agent', (verdict, expected) => {
    expect(known(outside(LIMIT), started(2), ended(verdict))?.unavailable).toEqual(expected);
  });

  it.each([
    ['a limit with a known end', LIMIT, LIMIT],
    ['one that is over', { ...LIMIT, until: time(2) }, null],
    ['a back-off', { ...LIMIT, resetKnown: false }, null],
    ['an agent that was given up', { ...LIMIT, kind: 'auth', until: null, resetKnown: false }, null],
  ] as const)('at the start of another run: %s', (_name, unavailable, expected) => {
    expect(known(outside(unavailable), again)?.unavailable).toEqual(expected);
  });

  it('ends when the user reinstates the agent', () => {
    expect(known(outside(LIMIT), { type: 'agent_reinstated', agent: 'claude' })?.unavailable).toBeNull();
  });

  it('is nothing after work that ended', () => {
    expect(known(ended('rate_limited', 1))).toBeUndefined();
    expect(known(ended('progress', 1))?.unavailable).toBeNull();
  });

  it('is in the document, and comes back from it where the journal is lost', () => {
    const state = foldRecords(EMPTY_STATE, numbered([RUN, started(1), outside(LIMIT)]));
    const options = { maxEvents: 10, feedbackRotationDays: 30, now: time(9) };
    const files = viewDocuments(state, options).map(({ path, content }) => ({ path, text: content }));
    const file = files.find(({ path }) => path.endsWith('profile.json'));
    expect(JSON.parse(file?.text ?? '{}').profiles).toMatchObject([
      { agent_id: 'claude', unavailable: { kind: 'rate_limited', until: time(60), reset_known: true } },
    ]);
    const { records } = importViews(files);
    expect(foldRecords(EMPTY_STATE, numbered(records)).profiles.claude?.unavailable).toEqual(LIMIT);
  });
});

describe('agents of a run that could not work', () => {
  const GONE: Unavailable = { ...LIMIT, kind: 'credit', until: null, resetKnown: false };
  const byOther = (iteration: number) => ({
    ...started(iteration),
    agent: 'codex',
    takesOver: { from: 'claude', reason: 'claude: credit used up' },
  });
  const doneBy = (agent: string, iteration: number) =>
    finished(iteration, { attempt: attempt({ iteration, agent, verdict: 'done' }) });
  const awayIn = (...bodies: JournalBody[]) =>
    foldRecords(EMPTY_STATE, numbered([RUN, started(1), ...bodies])).runs.at(-1)?.away;

  it.each<[string, readonly JournalBody[], ReturnType<typeof awayIn>]>([
    ['one that no agent took over from', [outside(GONE)], [{ agent: 'claude', by: null, unavailable: GONE }]],
    [
      'one that another took over from',
      [outside(GONE), byOther(2), doneBy('codex', 2)],
      [{ agent: 'claude', by: 'codex', unavailable: GONE }],
    ],
    ['one that works again', [outside(LIMIT), byOther(2), doneBy('codex', 2), doneBy('claude', 3)], []],
    [
      'one whose limit an earlier run met',
      [outside(LIMIT), again, { ...byOther(2), run: 'r-2' }],
      [{ agent: 'claude', by: 'codex', unavailable: LIMIT }],
    ],
    ['a run that began without trouble', [outside(LIMIT), again], []],
  ])('%s', (_what, bodies, away) => {
    expect(awayIn(...bodies)).toEqual(away);
  });
});
