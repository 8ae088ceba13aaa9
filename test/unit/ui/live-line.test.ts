import { displayWidth } from 'ralph-kit/columns';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { liveText } from '../../../src/io/ui/live/live-text.ts';
import { isLive, type LiveView, NOTHING_LIVE, nextView } from '../../../src/io/ui/live/live-view.ts';
import { started } from '../state/records.ts';

type Step = Entry | { readonly type: 'printed'; readonly line: string };

const STARTED = {
  ...started(9, 'T-5'),
  ...{ title: 'Parse dates in every form there is', attempt: 2, limitSeconds: 240 },
  ...{ place: { number: 3, of: 7 }, leftMs: 42 * 60_000 },
} as const satisfies Entry;
const acts = (action: string | null, tokens: number | null = null): Entry =>
  ({ type: 'agent_reported', event: { kind: 'session', id: 's' }, action, tokens }) as const;
const gate = (name: string, number = 1, of = 1): Entry => ({
  ...({ type: 'gates_started', gates: [name], baseline: false } as const),
  one: { number, of },
});
const over = (name: string): Entry => ({
  ...({ type: 'gates_finished', gate: name } as const),
  ...{ baseline: [], judgements: [], results: [] },
});
const FINISHED: Entry = { type: 'roles_finished', role: 'maker', results: [] };

const reviewing = (...roles: string[]): Entry => ({ type: 'roles_started', phase: 'check', roles });

/** The view after these events, each ten seconds after the one before. */
function viewOf(steps: readonly Step[]): { view: LiveView; nowMs: number } {
  let [view, nowMs] = [NOTHING_LIVE, 0];
  for (const step of steps) {
    if (step.type === 'printed') view = nextView(view, acts(null), nowMs, step.line);
    else view = nextView(view, step, nowMs);
    nowMs += 10_000;
  }
  return { view, nowMs };
}

const text = (steps: readonly Step[], width = 200) => {
  const { view, nowMs } = viewOf(steps);
  return liveText(view, nowMs, width);
};

describe('the live line', () => {
  it.each<[string, Step[], string]>([
    [
      'of an attempt',
      [STARTED, acts('Read a.ts', 900), acts('Edit src/x.ts', 41_200)],
      '[3/7] T-5 Parse dates in every form there is · attempt 2 · 0:30 of 4:00 · Edit src/x.ts · 41k tokens · about 40 min left',
    ],
    ['before the agent acts', [{ ...STARTED, leftMs: null }], '0:10 of 4:00 · starting'],
    [
      'of an agent that prints plain text',
      [STARTED, { type: 'printed', line: 'one' }, { type: 'printed', line: 'two' }],
      '· two ·',
    ],
    [
      'of an agent that acts and talks',
      [STARTED, acts('Edit a'), { type: 'printed', line: 'hm' }],
      '· Edit a ·',
    ],
    [
      'of reviewers, until each has ended',
      [
        STARTED,
        FINISHED,
        reviewing('guardian (codex)', 'sage'),
        { type: 'roles_finished', role: 'sage', results: [] },
      ],
      '· attempt 2 · review: guardian (codex) 0:20 ·',
    ],
    [
      'when reviewers have ended',
      [STARTED, FINISHED, reviewing('sage'), { type: 'roles_finished', role: null, results: [] }],
      '· checking what changed ·',
    ],
    [
      'of gates',
      [STARTED, acts('Edit a', 1_250_000), FINISHED, gate('lint', 1, 2), over('lint'), gate('test', 2, 2)],
      '· attempt 2 · gates: test 0:10 · gate 2 of 2 · 1.3M tokens · about',
    ],
    [
      'of several gates at once',
      [STARTED, FINISHED, gate('a', 1, 3), gate('b', 2, 3), gate('c', 3, 3)],
      'gates: a, b and 1 more 0:30 · about',
    ],
    [
      'between the agent and the gates',
      [STARTED, acts('Edit a'), FINISHED],
      'attempt 2 · checking what changed · about',
    ],
    [
      'of the baseline',
      [{ type: 'gates_started', gates: ['test'], baseline: true, one: null }, gate('test', 1, 2)],
      'baseline: test 0:10 · gate 1 of 2',
    ],
  ])('%s', (_what, steps, expected) => {
    expect(text(steps)).toContain(expected);
  });

  it.each([
    [
      200,
      '[3/7] T-5 Parse dates in every form there is · attempt 2 · 0:30 of 4:00 · Edit src/x.ts · 41k tokens · about 40 min left',
    ],
    [60, '[3/7] T-5 Parse dates in eve… · 0:30 of 4:00 · Edit src/x.ts'],
    [40, '[3/7] T-5 · 0:30 of 4:00 · Edit src/x.ts'],
    [24, 'T-5 · 0:30 of 4:00'],
    [8, 'T-5'],
    [2, ''],
  ])('drops the least important parts first: %i columns', (width, expected) => {
    const line = text([STARTED, acts('Read a.ts', 900), acts('Edit src/x.ts', 41_200)], width);
    if (expected !== '' || width < 3) expect(line).toBe(expected);
    expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('fits any width from 1 to 200, and never cuts the id', () => {
    const ids = ['T-5', 'a-very-long-id-that-a-tracker-made-of-a-title-2026', '漢字-1'];
    const actions = [
      'Edit src/x.ts',
      'Bash npm test 漢字漢字漢字漢字漢字漢字漢字漢字',
      `Read ${'a/'.repeat(200)}`,
    ];
    for (const taskId of ids)
      for (const action of actions)
        for (let width = 1; width <= 200; width += 1) {
          for (const gates of [[], [FINISHED, gate('test', 1, 2)]]) {
            const line = text([{ ...STARTED, taskId }, acts(action, 41_000), ...gates], width);
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
            expect(line.includes(taskId), `${width}: ${line}`).toBe(displayWidth(taskId) <= width);
          }
        }
  });

  it.each([
    [30_000, 'about 1 min left'],
    [5.4 * 60_000, 'about 5 min left'],
    [12 * 60_000, 'about 10 min left'],
    [56 * 60_000, 'about 55 min left'],
    [58 * 60_000, 'about 1 h left'],
    [80 * 60_000, 'about 1.5 h left'],
    [9 * 3_600_000, 'about 9 h left'],
    [0, ''],
    [-1, ''],
  ])('rounds what is left: %i ms', (leftMs, words) => {
    const line = text([{ ...STARTED, leftMs: leftMs + 10_000 }]);
    expect(line.split(' · ').find((part) => part.startsWith('about')) ?? '').toBe(words);
  });

  it('is there while something runs, and then not', () => {
    const shown = (steps: readonly Step[]) => isLive(viewOf(steps).view);
    const done = { type: 'iteration_finished' } as Entry;
    expect(shown([])).toBe(false);
    expect(shown([gate('test')])).toBe(true);
    expect(shown([gate('test'), over('test')])).toBe(false);
    expect(shown([STARTED, FINISHED])).toBe(true);
    expect(shown([STARTED, FINISHED, gate('test'), done])).toBe(false);
    expect(shown([STARTED, { type: 'run_finished' } as Entry])).toBe(false);
  });

  it('counts equal names of gates one by one', () => {
    expect(text([gate('a', 1, 2), gate('a', 2, 2), over('a')])).toBe('baseline: a 0:20 · gate 2 of 2');
  });
});
