import { describe, expect, it } from 'vitest';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type Unavailable } from '../../../src/domain/records/state.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { foldRecords, importViews, viewDocuments } from '../../../src/state/index.ts';
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
  finished(iteration, { attempt: attempt({ iteration, verdict: unavailable.kind }), unavailable });
const ended = (verdict: VerdictKind, iteration = 2) =>
  finished(iteration, { attempt: attempt({ iteration, verdict }) });
const again: JournalBody = { ...RUN, run: 'r-2' };

function known(...bodies: JournalBody[]) {
  return foldRecords(EMPTY_STATE, numbered([RUN, started(1), ...bodies])).profiles.claude;
}

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
