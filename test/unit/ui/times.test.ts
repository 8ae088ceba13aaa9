import { describe, expect, it } from 'vitest';
import { localTime, withLocalTimes } from '../../../src/tell/times.ts';

/** The moment of these tests in local time, whatever the time zone of the machine is. */
const NOW = new Date(2026, 0, 31, 12, 0, 0);
const at = (...time: [number, number, number, number, number, number]) => new Date(...time).toISOString();

describe('times on screen', () => {
  it.each([
    ['on the same day by their hour', at(2026, 0, 31, 15, 12, 0), '15:12'],
    ['soon to the second', at(2026, 0, 31, 12, 0, 30), '12:00:30'],
    ['on another day with the date', at(2026, 1, 1, 0, 30, 0), '2026-02-01 00:30'],
  ])('are told %s', (_name, iso, expected) => {
    expect(localTime(iso, NOW)).toBe(expected);
  });

  it('the two ends of a span have seconds both', () => {
    const full = new Date(new Date(NOW).setSeconds(0, 0)).toISOString();
    expect(localTime(full, NOW)).toMatch(/^\d\d:\d\d$/);
    expect(localTime(full, NOW, true)).toMatch(/^\d\d:\d\d:00$/);
  });

  it.each([
    ['hours ahead', at(2026, 0, 31, 15, 12, 0), 'until 15:12 (in 3 h 12 min), then'],
    ['minutes ahead', at(2026, 0, 31, 12, 45, 0), 'until 12:45 (in 45 min), then'],
    ['moments ahead', at(2026, 0, 31, 12, 1, 5), 'until 12:01:05 (in 1 min 5 s), then'],
    ['days ahead', at(2026, 1, 4, 12, 0, 0), 'until 2026-02-04 12:00 (in 4 days), then'],
    ['in the past', at(2026, 0, 31, 8, 0, 0), 'until 08:00, then'],
  ])('stand in a sentence: %s', (_name, iso, expected) => {
    expect(withLocalTimes(`until ${iso}, then`, NOW)).toBe(expected);
  });

  it("that aren't times stay as they are", () => {
    const text = 'src/a.ts:10-20 at 12:00, 2026-99-99T99:99:99Z, 2026-01-01';
    expect(withLocalTimes(text, NOW)).toBe(text);
  });
});
