import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../../src/domain/command-run.ts';
import { answerFor, openLab } from '../../../../src/lab/open-lab.ts';
import { commandRun } from '../../../helpers/facts.ts';

const RUN = commandRun();
const RED = { ...RUN, outcome: { kind: 'failed', exitCode: 1, signal: null } } as const;
const ALSO_WITHOUT = { key: null, run: { ...RED, why: 'since-when' } } as const;
const OTHER_WITHOUT = { key: null, run: { ...RED, name: 'lint', why: 'since-when' } } as const;
const without = (outcome: CommandRun['outcome']) => ({ ...RUN, outcome });

describe('an answer holds', () => {
  it.each([
    ['for the same key', [{ key: 'k', run: RUN }], 'k', 'check-before', RUN],
    ['where it is red, too', [{ key: 'k', run: RED }], 'k', 'deciding', RED],
    [
      'and the newest one does',
      [
        { key: 'k', run: RED },
        { key: 'k', run: RUN },
      ],
      'k',
      'deciding',
      RUN,
    ],
    [
      'where another gate is red without the work',
      [{ key: 'k', run: RED }, OTHER_WITHOUT],
      'k',
      'deciding',
      RED,
    ],
    [
      'where it is green, whatever was red without the work',
      [{ key: 'k', run: RUN }, ALSO_WITHOUT],
      'k',
      'deciding',
      RUN,
    ],
  ] as const)('%s', (_, answers, key, why, expected) =>
    expect(answerFor(answers, key, why)).toEqual(expected),
  );

  it.each([
    ['for another key', [{ key: 'k', run: RUN }], 'l', 'deciding'],
    ['where what it depends on is not known', [{ key: null, run: RUN }], null, 'deciding'],
    ['where it is asked again, back to back', [{ key: 'k', run: RED }], 'k', 'again'],
    [
      'on the way to your branch: what lies there may be red by now',
      [{ key: 'k', run: RUN }],
      'k',
      'landing',
    ],
    ['where it is asked since when it fails', [{ key: 'k', run: RUN }], 'k', 'since-when'],
    [
      'where it is red, and the gate is without the work',
      [{ key: 'k', run: RED }, ALSO_WITHOUT],
      'k',
      'deciding',
    ],
    ["where it didn't end", [{ key: 'k', run: without({ kind: 'timed_out', afterMs: 1 }) }], 'k', 'deciding'],
    ['where you stopped it', [{ key: 'k', run: without({ kind: 'skipped', reason: '' }) }], 'k', 'deciding'],
    [
      'where its tool was missing',
      [{ key: 'k', run: without({ kind: 'tool_missing', tool: 'x' }) }],
      'k',
      'deciding',
    ],
  ] as const)('not %s', (_, answers, key, why) => expect(answerFor(answers, key, why)).toBeNull());
});

it('what was asked twice was started once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }), (keys) => {
      const lab = openLab();
      let started = 0;
      for (const key of keys) {
        if (lab.answer(key, 'deciding') !== null) continue;
        started += 1;
        lab.note('/folder', { key, run: { ...RUN, tree: key } });
      }
      expect(started).toBe(new Set(keys).size);
      expect(lab.runsFor('/folder')).toHaveLength(started);
    }),
  );
});

it('knows what was asked on trees of which gates see the same', () => {
  const lab = openLab();
  lab.note('/one', { key: null, run: { ...RUN, tree: 'a' } });
  lab.note('/two', { key: null, run: { ...RUN, tree: 'b', name: 'lint' } });
  expect(lab.runsOn('k')).toEqual([]);
  for (const tree of ['a', 'b']) lab.see(tree, 'k');
  expect(lab.runsOn('k').map(({ name }) => name)).toEqual([RUN.name, 'lint']);
});
