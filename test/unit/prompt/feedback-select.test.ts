import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedbackEntry } from '../../../src/domain/feedback.ts';
import { MIN_FEEDBACK_CHARS, renderFeedback, selectFeedback } from '../../../src/prompt/index.ts';
import { ENTRY, endsInsideFence } from './inputs.ts';

const OPTIONS = { taskId: 'E1-02', now: '2026-01-20T12:00:00.000Z', rotationDays: 30 };

function entry(over: Partial<FeedbackEntry>): FeedbackEntry {
  return { ...ENTRY, ...over };
}

describe('selectFeedback', () => {
  it.each([
    ['of this task', entry({}), true],
    ['for every task', entry({ taskId: null }), true],
    ['of another task', entry({ taskId: 'E1-03' }), false],
    ['of 30 days ago to the second', entry({ at: '2025-12-21T12:00:00.000Z' }), true],
    ['older than the rotation', entry({ at: '2025-12-21T11:59:59.000Z' }), false],
    [
      "the user's, older than the rotation",
      entry({ source: 'person', at: '2025-01-01T00:00:00.000Z' }),
      false,
    ],
    ['of an unreadable time', entry({ at: 'yesterday' }), true],
  ])('%s', (_, one, kept) => {
    expect(selectFeedback([one], OPTIONS)).toEqual(kept ? [one] : []);
  });

  it('keeps the newest of entries that differ in the iteration alone', () => {
    const older = entry({ iteration: 2, text: 'In iteration 2, nothing was written in 22 places.' });
    const newer = entry({
      iteration: 3,
      at: '2026-01-20T11:00:00.000Z',
      text: 'In iteration 3, nothing was written in 22 places.',
    });
    expect(selectFeedback([newer, older], OPTIONS)).toEqual([newer]);
  });

  it('keeps entries that say different things, oldest first', () => {
    const first = entry({ text: 'First.' });
    const second = entry({ text: 'Second.', at: '2026-01-20T11:00:00.000Z' });
    const third = entry({ text: 'Second.', kind: 'timed_out', at: '2026-01-20T11:30:00.000Z' });
    expect(selectFeedback([third, second, first], OPTIONS)).toEqual([first, second, third]);
  });
});

describe('renderFeedback', () => {
  it('gives all entries in full where they fit', () => {
    expect(renderFeedback([entry({ text: 'First.' }), entry({ text: 'Second.' })], 1000)).toBe(
      'First.\n\nSecond.',
    );
  });

  it('over the limit gives counts, the newest of each kind in full, and what was left out', () => {
    const entries = [
      entry({ text: `old ${'a'.repeat(600)}` }),
      entry({ kind: 'timed_out', text: 'timed out in iteration 3' }),
      entry({ text: 'newest of no_files' }),
    ];
    expect(renderFeedback(entries, 600)).toBe(
      [
        'Shortened to fit. All that was reported, by kind:\n\n- no_files: 2\n- timed_out: 1',
        'timed out in iteration 3',
        'newest of no_files',
        '(1 older of these left out: the newest of each kind stands above.)',
      ].join('\n\n'),
    );
  });

  it('gives the room that short entries leave to the long ones', () => {
    const long = Array.from({ length: 60 }, (_, line) => `line ${line} of the output`).join('\n');
    const text = renderFeedback([entry({ text: long }), entry({ kind: 'timed_out', text: 'short' })], 1000);
    expect(text).toContain('line 30 of the output');
    expect(text).toContain('(cut here: the rest was left out)');
    expect(text).toContain('short');
    expect(text.length).toBeLessThanOrEqual(1000);
  });

  it('closes a fence that an entry left open', () => {
    expect(renderFeedback([entry({ text: 'see\n````\ncode' }), entry({ text: 'Next.' })], 1000)).toBe(
      'see\n````\ncode\n````\n\nNext.',
    );
  });

  it('counts the fence that it closes', () => {
    const text = renderFeedback([entry({ text: `\`\`\`\`\`\`\n${'x\n'.repeat(1000)}` })], 700);
    expect(text.length).toBeLessThanOrEqual(700);
    expect(text).toContain('x\n``````\n(cut here');
  });

  it('keeps to its limit and never ends inside a fence', () => {
    const line = fc.constantFrom('word '.repeat(12), '```', '````', '~~~', '```js', '');
    const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));
    const kind = fc.constantFrom('no_files', 'timed_out', 'gates_failed', 'evidence_missing');
    const entries = fc.array(
      fc.record({ text, kind }).map((over) => entry(over)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 3000 }), (list, limit) => {
        const rendered = renderFeedback(list, limit);
        expect(rendered.length).toBeLessThanOrEqual(Math.max(limit, MIN_FEEDBACK_CHARS));
        expect(endsInsideFence(rendered)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
