import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs, unavailableAfter, waitLeftMs } from '../../../src/decide/choice/available-agent.ts';
import type { Unavailable } from '../../../src/domain/service.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import { outlastsRun } from '../../../src/state/fold.ts';

const ENDED = '2026-01-01T12:00:00.000Z';
const later = (seconds: number) => new Date(Date.parse(ENDED) + seconds * 1000).toISOString();
const limit = (resetsAt: string | null): Verdict => ({ kind: 'rate_limited', message: 'full', resetsAt });
const OUTAGE: Verdict = { kind: 'outage', message: 'down' };
const AUTH: Verdict = { kind: 'auth', message: 'who are you' };
const SPAWN: Verdict = { kind: 'spawn_failed', message: 'no such program' };

/** What is known after so many attempts in a row that ended so. */
function row(verdict: Verdict, times: number): Unavailable | null {
  let known: Unavailable | null = null;
  for (let index = 0; index < times; index += 1) known = unavailableAfter(known, verdict, ENDED);
  return known;
}

describe('the back-off', () => {
  it.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 480],
    [6, 900],
    [7, 900],
    [1000, 900],
  ])('after %i attempts in a row is %i s', (tries, seconds) => {
    expect(backOffMs(tries)).toBe(seconds * 1000);
  });

  it.each([
    ['a limit', limit(null), 30],
    ['an outage', OUTAGE, 10],
    ['no sign-in', AUTH, 3],
    ['a program that does not start', SPAWN, 0],
  ] as const)('of %s ends after its number of waits', (_name, verdict, waits) => {
    expect(row(verdict, waits + 1)).toMatchObject({ until: null, tries: waits + 1, resetKnown: false });
    if (waits > 0) expect(row(verdict, waits)?.until).toBe(later(backOffMs(waits) / 1000));
  });

  it('continues through a mixture of causes, from the first of them', () => {
    const first = unavailableAfter(null, OUTAGE, ENDED);
    expect(unavailableAfter(first, limit(null), later(60))).toEqual({
      kind: 'rate_limited',
      message: 'full',
      since: ENDED,
      until: later(60 + 60),
      tries: 2,
      resetKnown: false,
    });
  });

  it.each([{ kind: 'done' }, { kind: 'progress' }, { kind: 'interrupted', signal: 'SIGINT' }] as const)(
    "doesn't exist for $kind",
    (verdict) => {
      expect(unavailableAfter(row(OUTAGE, 2), verdict, ENDED)).toBeNull();
    },
  );
});

describe('a limit that says when it resets', () => {
  it.each([
    ['is waited for until then', 1, 3600, 3600, true],
    ['this very moment is given a little', 1, 1, 2, true],
    ['in the past is backed off from', 1, -5, 30, false],
    ['again right after its reset is backed off from', 2, 1, 60, false],
    ['again, with a time beyond the back-off, is believed', 2, 3600, 3600, true],
  ] as const)('%s', (_name, tries, resets, until, resetKnown) => {
    const known = unavailableAfter(row(OUTAGE, tries - 1), limit(later(resets)), ENDED);
    expect(known).toMatchObject({ until: later(until), resetKnown, tries });
  });
});

describe('a service that had too many requests at once', () => {
  const busy = (resets: number | null): Verdict => ({
    ...{ kind: 'throttled', message: 'Too many requests' },
    resetsAt: resets === null ? null : later(resets),
  });

  it.each([
    ['is throttled until it says', 1, 20, 20, 'throttled', true],
    ['or as long as a back-off', 1, null, 30, 'throttled', false],
    ['again, for as long as a back-off at least', 2, 20, 60, 'throttled', false],
    ['a fourth time is a limit', 4, null, 240, 'rate_limited', false],
  ] as const)('%s', (_name, tries, resets, until, kind, resetKnown) => {
    const known = unavailableAfter(row(busy(null), tries - 1), busy(resets), ENDED);
    expect(known).toMatchObject({ until: later(until), kind, resetKnown, tries });
  });

  it('is given up as a limit is', () => {
    expect(row(busy(null), 30)?.until).not.toBeNull();
    expect(row(busy(null), 31)?.until).toBeNull();
  });
});

describe('what another run begins with', () => {
  const known = (more: Partial<Unavailable>): Unavailable => ({
    ...{ kind: 'rate_limited', message: '', since: ENDED, until: later(60), tries: 1, resetKnown: true },
    ...more,
  });
  it.each([
    ['a limit with a known end stands', known({}), true],
    ['one that is over does not', known({ until: later(-1) }), false],
    ['a back-off does not', known({ resetKnown: false }), false],
    ['an agent that was given up does not', known({ until: null }), false],
  ] as const)('%s', (_name, unavailable, expected) => {
    expect(outlastsRun(unavailable, ENDED)).toBe(expected);
  });
});

describe('the time that is left', () => {
  it('of a back-off is over where the clock was set back before its beginning', () => {
    const known = row(OUTAGE, 1);
    if (known === null) throw new Error("an outage isn't an end");
    expect(waitLeftMs(known, later(10))).toBe(20_000);
    expect(waitLeftMs(known, later(-3600))).toBe(0);
    expect(waitLeftMs({ ...known, resetKnown: true }, later(-3600))).toBe(3_630_000);
    expect(waitLeftMs({ ...known, until: null }, later(0))).toBeNull();
  });

  it('is never more than the longest back-off, nor less than nothing, and ends with the wait', () => {
    const verdict = fc.constantFrom(OUTAGE, AUTH, limit(null), limit(later(-1)));
    fc.assert(
      fc.property(
        fc.array(verdict, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: -1e6, max: 1e6 }),
        (verdicts, seconds) => {
          let known: Unavailable | null = null;
          for (const one of verdicts) known = unavailableAfter(known, one, ENDED);
          if (known === null) throw new Error('none of them is an end');
          const left = waitLeftMs(known, later(seconds));
          if (left === null) expect(known.tries).toBeGreaterThan(3);
          else {
            expect(left).toBeGreaterThanOrEqual(0);
            expect(left).toBeLessThanOrEqual(900_000);
            expect(waitLeftMs(known, later(seconds + left / 1000))).toBe(0);
          }
        },
      ),
    );
  });
});
