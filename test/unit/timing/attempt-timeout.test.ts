import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptTimeout, classify, levelsOf, previousTimeouts } from '../../../src/decide/timing/index.ts';
import type { TaskState } from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import { settingsOf, stateAfter, taskOf } from './settings.ts';

type Given = {
  readonly settings?: Record<string, unknown>;
  readonly task?: Partial<Task>;
  readonly state?: TaskState;
  readonly mode?: number | null;
  readonly durationsMs?: readonly number[];
};

function timeoutOf(title: string, given: Given = {}) {
  const settings = settingsOf(given.settings);
  const task = taskOf(title, given.task);
  return attemptTimeout({
    task,
    taskState: given.state ?? stateAfter([]),
    mode: { name: 'speed', timeoutSeconds: given.mode === undefined ? 120 : given.mode },
    classification: classify(task, levelsOf(settings)),
    settings,
    durationsMs: given.durationsMs ?? [],
  });
}
const timeouts = (count: number) => stateAfter(Array.from({ length: count }, () => 'timed_out'));

describe('attemptTimeout', () => {
  it.each([
    ['Fix it', 0, 120, 120, "120 s = 120 × 1.0 (simple: 'Fix')"],
    ['Fix it', 2, 120, 270, "270 s = 120 × 1.0 (simple: 'Fix') × 1.5^2"],
    ['Mock it', 0, 120, 180, "180 s = 120 × 1.5 (medium: 'Mock')"],
    ['Mock it', 1, 120, 270, "270 s = 120 × 1.5 (medium: 'Mock') × 1.5^1"],
    ['Miscellany', 0, 120, 180, '180 s = 120 × 1.5 (medium: default)'],
    ['Parser', 0, 120, 240, "240 s = 120 × 2.0 (complex: 'Parser')"],
    ['Parser', 3, 120, 810, "810 s = 120 × 2.0 (complex: 'Parser') × 1.5^3"],
    ['Dashboard', 0, 120, 360, "360 s = 120 × 3.0 (ui_heavy: 'Dashboard')"],
    ['Dashboard', 1, 120, 540, "540 s = 120 × 3.0 (ui_heavy: 'Dashboard') × 1.5^1"],
    ['Dashboard', 0, 300, 900, "900 s = 300 × 3.0 (ui_heavy: 'Dashboard')"],
    ['Dashboard', 0, 600, 1800, "1800 s = 600 × 3.0 (ui_heavy: 'Dashboard')"],
    ['Fix it', 0, null, 60, "60 s = 60 (base of simple) × 1.0 (simple: 'Fix')"],
    ['Mock it', 0, null, 270, "270 s = 180 (base of medium) × 1.5 (medium: 'Mock')"],
    ['Parser', 0, null, 600, "600 s = 300 (base of complex) × 2.0 (complex: 'Parser')"],
    ['Dashboard', 0, null, 1800, "1800 s = 600 (base of ui_heavy) × 3.0 (ui_heavy: 'Dashboard')"],
  ])('%s after %i timeouts, mode %j s: %i s', (title, count, mode, seconds, reason) => {
    expect(timeoutOf(title, { mode, state: timeouts(count) })).toEqual({
      seconds,
      reason,
      level: classify(taskOf(title), levelsOf(settingsOf())).level,
      warning: null,
      capped: null,
    });
  });

  it('counts timeouts alone: more time cures no failed gate', () => {
    const state = stateAfter(['gates_failed', 'timed_out', 'no_files', 'timed_out', 'interrupted']);
    expect(previousTimeouts(state)).toBe(2);
    expect(timeoutOf('Fix it', { state }).seconds).toBe(270);
  });

  it.each([
    ['Retry it', 5, "complex: 'Retry', 5 criteria"],
    ['Miscellany', 5, 'complex: default, 5 criteria'],
    ['Miscellany', 2, 'medium: default'],
  ])('says what the level rests on: %s with %i criteria', (title, count, why) => {
    const task = { acceptance: Array.from({ length: count }, () => 'so it is') };
    expect(timeoutOf(title, { task }).reason).toContain(`(${why})`);
  });

  it('is held by the bounds, and says which', () => {
    expect(timeoutOf('Dashboard', { mode: 600, state: timeouts(2) })).toMatchObject({
      seconds: 3600,
      capped: 'max',
      reason: "3600 s = 600 × 3.0 (ui_heavy: 'Dashboard') × 1.5^2, at most max_timeout",
    });
    expect(timeoutOf('Fix it', { mode: 0.2 })).toMatchObject({
      seconds: 60,
      capped: 'min',
      reason: "60 s = 0.2 × 1.0 (simple: 'Fix'), at least min_timeout",
    });
    expect(timeoutOf('Parser', { mode: 0.2, settings: { min_timeout: 0.1 } })).toMatchObject({
      seconds: 0.4,
      capped: null,
    });
  });

  it.each([
    [{ complexity_scaling: false }, 180, '180 s = 120 × 1.5^1'],
    [{ failure_scaling: false }, 360, "360 s = 120 × 3.0 (ui_heavy: 'Dashboard')"],
    [{ complexity_scaling: false, failure_scaling: false }, 120, '120 s = 120 (mode speed)'],
    [{ enabled: false }, 120, '120 s (mode speed)'],
  ])('with %j', (settings, seconds, reason) => {
    expect(timeoutOf('Dashboard', { settings, state: timeouts(1) })).toMatchObject({ seconds, reason });
  });

  it('switched off: no bound holds, and a mode without a timeout has that of medium', () => {
    const settings = { enabled: false };
    expect(timeoutOf('Dashboard', { settings, mode: 0.2 }).seconds).toBe(0.2);
    expect(timeoutOf('Dashboard', { settings, mode: null })).toMatchObject({
      seconds: 180,
      reason: '180 s (base of medium: mode speed has no timeout)',
    });
  });

  it.each([{}, { enabled: false }])("takes the user's timeout as it is (%j)", (settings) => {
    const task = { timeoutSeconds: 0.2 };
    const state = { ...timeouts(3), timeoutSeconds: 7200 };
    expect(timeoutOf('Dashboard', { settings, task, state: timeouts(3) })).toMatchObject({
      seconds: 0.2,
      reason: '0.2 s (set in the task)',
      warning: null,
      capped: null,
    });
    const unblocked = timeoutOf('Dashboard', { settings, task, state });
    expect(unblocked).toMatchObject({ seconds: 7200, reason: '7200 s (set when the task was unblocked)' });
    expect(unblocked.warning).toContain('7200 s');
    expect(unblocked.warning).toContain('max_timeout (3600 s)');
    expect(timeoutOf('x', { settings, task: { timeoutSeconds: 3601 } }).warning).toContain('3601 s');
    expect(timeoutOf('x', { settings, task: { timeoutSeconds: 3600 } }).warning).toBeNull();
  });

  it('goes back to the formula once the timeout of the unblock is taken away', () => {
    expect(timeoutOf('Fix it', { state: { ...stateAfter([]), timeoutSeconds: null } }).seconds).toBe(120);
  });

  it('knows the levels of the configuration', () => {
    const settings = {
      complexity: {
        research: { multiplier: 5, base_timeout: 100, keywords: ['spike'] },
        simple: { multiplier: 1.25 },
      },
    };
    expect(timeoutOf('Spike', { settings }).reason).toBe("600 s = 120 × 5.0 (research: 'Spike')");
    expect(timeoutOf('Spike', { settings, mode: null }).seconds).toBe(500);
    expect(timeoutOf('Fix it', { settings }).reason).toBe("150 s = 120 × 1.25 (simple: 'Fix')");
    const stated = timeoutOf('Fix it', { settings, task: { complexity: 'research' } });
    expect(stated).toMatchObject({ seconds: 600, level: 'research' });
    expect(stated.reason).toContain('research: set in the task');
  });

  it('learns from 5 attempts on: not less than their 90th percentile × 1.25, within the bounds', () => {
    const four = [400_000, 400_000, 400_000, 400_000];
    expect(timeoutOf('Fix it', { durationsMs: four }).seconds).toBe(120);
    expect(timeoutOf('Fix it', { durationsMs: [...four, 100] })).toMatchObject({
      seconds: 500,
      reason: "500 s = 120 × 1.0 (simple: 'Fix'), at least 90th percentile of 5 attempts × 1.25",
    });
    expect(timeoutOf('Dashboard', { durationsMs: [...four, 100].map((ms) => ms / 10) }).seconds).toBe(360);
    expect(timeoutOf('Fix it', { durationsMs: [...four, 100], settings: { learned: false } }).seconds).toBe(
      120,
    );
    expect(timeoutOf('Fix it', { durationsMs: [...four, 9e6] })).toMatchObject({
      seconds: 3600,
      capped: 'max',
    });
  });

  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
  const cases = fc.record({
    mode: fc.option(seconds),
    title: fc.constantFrom('Fix it', 'Mock it', 'Parser', 'Dashboard', 'x'),
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
    count: fc.nat({ max: 40 }),
    durationsMs: fc.array(fc.nat({ max: 1e7 }), { maxLength: 10 }),
    min: fc.nat({ max: 1000 }),
    range: fc.nat({ max: 1e5 }),
  });

  it('stays within the bounds, and one more timeout never gives less time', () => {
    fc.assert(
      fc.property(cases, ({ mode, title, factor, count, durationsMs, min, range }) => {
        const settings = {
          min_timeout: min,
          max_timeout: min + range,
          timeout_multiplier_per_failure: factor,
        };
        const secondsAt = (failures: number) =>
          timeoutOf(title, { mode, settings, durationsMs, state: timeouts(failures) }).seconds;
        const now = secondsAt(count);
        expect(now).toBeGreaterThanOrEqual(min);
        expect(now).toBeLessThanOrEqual(min + range);
        expect(secondsAt(count + 1)).toBeGreaterThanOrEqual(now);
      }),
      { numRuns: 100 },
    );
  });
});
