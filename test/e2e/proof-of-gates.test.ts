/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { gatesPassedElsewhere } from '../../src/domain/command-runs.ts';
import { BOUNDS, code, FAILING, HEAD, KEEPS, RIGHT, runOf, tests } from '../helpers/clamp-project.ts';
import { write } from '../helpers/cli.ts';

describe('a gate that passes and shows nothing', () => {
  it('is not believed where the expected value was changed, and the code is wrong', () => {
    const bent = "test('clamp bounds what is above', () => assert.equal(clamp(10, 0, 5), 10));\n";
    const { verdict, text } = runOf([
      code('export const clamp = (x, low, high) => x + 0;\n'),
      tests(KEEPS + bent),
    ]);
    expect(verdict).not.toBe('done');
    expect(text).toContain('the test "clamp bounds what is above" still fails as it was');
  });

  it.each([
    ['believed', 'Clamp has limits of its own: clamp(10, 0, 5) is 4', 'done'],
    ['not believed', 'Clamp has limits of its own, and the test "limits" passes', 'incomplete'],
  ])('is %s where a test that passed demands something else: %s', (_what, title, verdict) => {
    const limits = (value: number) => `test('limits', () => assert.equal(clamp(10, 0, 5), ${value}));\n`;
    const made = runOf([code(RIGHT.replace('min(high,', 'min(high - 1,')), tests(KEEPS + limits(4))], {
      '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** ${title}\n`,
      'src/clamp.js': RIGHT,
      'test/clamp.test.js': HEAD + KEEPS + limits(5),
    });
    expect(made.verdict, made.text).toBe(verdict);
  });

  it('is not believed where the failing test alone was changed, and nothing asks for that', () => {
    const wrong = { 'src/clamp.js': RIGHT, 'test/clamp.test.js': HEAD + KEEPS + BOUNDS.replace('5)', '6)') };
    const { verdict, text } = runOf([tests(`${KEEPS}${BOUNDS}`)], { ...FAILING, ...wrong });
    expect(verdict, text).toBe('incomplete');
    expect(text).toContain('the test "clamp bounds what is above" still fails as it was');
  });

  it('is not believed where it passes with files that git ignores', () => {
    const reads = `${HEAD}import { existsSync } from 'node:fs';\ntest('clamp keeps what is inside', () => assert.ok(existsSync('local/answer') || clamp(3, 0, 5) === 3));\n`;
    const { verdict, text, facts, decisions } = runOf(
      [code('export const clamp = (x) => 0;\n'), write('local/answer', '5\n'), write('local/other', '5\n')],
      { 'test/clamp.test.js': reads },
    );
    expect(verdict).not.toBe('done');
    expect(gatesPassedElsewhere(facts)).toEqual([{ gate: 'test', ignored: ['local'], decides: false }]);
    expect(text).toContain('Gate "test" failed');
    expect(decisions.cause).toContain('and passes only with what git ignores: local;');
    expect(decisions.feedback.map(({ text: entry }) => entry).join()).toContain(
      'passes only with what git ignores (`local`)',
    );
  });
});
