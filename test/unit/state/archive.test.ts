import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { eventsToArchive, foldRecords } from '../../../src/state/index.ts';
import { event, finished, numbered } from './records.ts';

const RULES = { maxEvents: 100, feedbackRotationDays: 30, now: '2026-03-31T00:00:00.000Z' };
const at = (day: string) => `2026-${day}T00:00:00.000Z`;
const events = (...times: string[]) => ({
  events: times.map((timestamp, index) => event(index + 1, { timestamp })),
});
const many = (count: number) => events(...Array.from({ length: count }, () => at('03-30')));

describe('the archive takes', () => {
  it.each([
    ['nothing of an empty list', events(), null],
    ['nothing up to the limit and a batch', many(149), null],
    ['all over the limit, as a batch', many(150), 50],
    [
      'nothing that is just too old, so that there is one archive a day',
      events(at('02-28'), at('03-30')),
      null,
    ],
    ['all that is too old', events(at('02-20'), at('02-28'), at('03-05')), 2],
    ['everything when everything is', events(at('01-01'), at('01-02')), 2],
    ['an event without a readable time', events('once', at('03-30')), 1],
  ])('%s', (_, state, count) => {
    const due = eventsToArchive(state, RULES);
    expect(due?.count ?? null).toBe(count);
    if (due === null) return;
    const ids = JSON.parse(due.content).events.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(state.events.slice(0, due.count).map(({ id }) => id));
  });

  it.each([7, 365])(
    'what is older than 30 days, also where feedback is kept for %i',
    (feedbackRotationDays) => {
      const state = events(at('02-20'), at('03-20'));
      expect(eventsToArchive(state, { ...RULES, feedbackRotationDays })?.count).toBe(1);
    },
  );

  it.each([0, 10, 1000, 1500, 2000, 100_000])(
    'with a limit of %i, before the fold drops an event',
    (maxEvents) => {
      let state = EMPTY_STATE;
      let taken = 0;
      for (let number = 1; number <= 3000; number += 20) {
        const due = eventsToArchive(state, { ...RULES, maxEvents });
        if (due !== null) {
          taken += due.count;
          const record = { type: 'events_archived', count: due.count, archive: 'x' } as const;
          state = foldRecords(state, numbered([record], state.seq + 1));
        }
        const fresh = Array.from({ length: 20 }, (_, index) =>
          event(number + index, { timestamp: at('03-30') }),
        );
        state = foldRecords(state, numbered([finished(number, { events: fresh })], state.seq + 1));
        expect(taken + state.events.length).toBe(number + 19);
      }
    },
  );

  it('what an import brought, however much', () => {
    const imported = { type: 'imported', from: 'x', events: many(5000).events, state: null } as const;
    const state = foldRecords(EMPTY_STATE, numbered([imported]));
    expect(eventsToArchive(state, RULES)?.count).toBe(4900);
  });
});
