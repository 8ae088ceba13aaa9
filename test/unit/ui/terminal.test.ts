import fc from 'fast-check';
import { displayWidth } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import { terminalWith } from '../../../src/io/ui/terminal.ts';

const at = (width: number, piped = false) => terminalWith({ live: true, color: false, width, piped });
const word = fc.stringMatching(/^[a-zäß日]{1,12}$/);
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
const widths = fc.integer({ min: 60, max: 200 });
const wide = (laidOut: string, width: number) =>
  laidOut.split('\n').filter((line) => displayWidth(stripControl(line)) > width);
const wordsOf = (laidOut: string) => laidOut.split(/\s+/).filter((one) => one !== '');

describe('on a terminal of 60 to 200 columns', () => {
  it('no paragraph and no line is too wide, and no word is broken', () => {
    fc.assert(
      fc.property(text, widths, (words, width) => {
        const { para, fitted } = at(width);
        for (const laidOut of [para(words, '  ! '), fitted(`  ✖ ${words}`)]) {
          expect(wide(laidOut, width)).toEqual([]);
          expect(wordsOf(laidOut).slice(1)).toEqual(wordsOf(words));
        }
      }),
    );
  });

  it('no table is too wide, and none of its words is broken or missing', () => {
    const row = fc.tuple(word, word, word, text);
    const head = fc.option(fc.constant(['id', 'state', 'when', 'title']), { nil: undefined });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), head, widths, (rows, names, width) => {
        const laidOut = at(width).table(rows, names);
        expect(wide(laidOut, width)).toEqual([]);
        const missing = rows
          .flat()
          .flatMap(wordsOf)
          .filter((one) => !wordsOf(laidOut).includes(one));
        expect(missing).toEqual([]);
      }),
    );
  });
});

describe('a table', () => {
  const rows = [['T-1', 'done', 'Write the parser of dates in every form that people use']];

  it('breaks its last column between words where there is room', () => {
    expect(at(50).table(rows)).toBe(
      'T-1  done  Write the parser of dates in every form\n           that people use',
    );
  });

  it('puts the cells of a row below each other where there is none', () => {
    expect(at(32).table(rows, ['task', 'status', 'title'])).toBe(
      'T-1\n  status  done\n  title   Write the parser of\n          dates in every form\n          that people use',
    );
    expect(at(32).table(rows)).toBe(
      'T-1 done\n    Write the parser of dates in\n    every form that people use',
    );
  });

  it('is left as it is in a pipe', () => {
    expect(at(32, true).table(rows)).toBe(`T-1  done  ${rows[0]?.[2]}`);
    expect(at(32, true).fitted('a line '.repeat(20))).toBe('a line '.repeat(20));
  });
});

it('a number stays with its unit, and a command in one piece', () => {
  expect(at(20).para('it took all of 40.2 min yesterday')).toBe('it took all of\n40.2 min yesterday');
  const command = '  ralph resume INC-1 --option rollback_and_retry';
  expect(at(20).fitted(command)).toBe(command);
  expect(at(20).fitted(`Next: ${command.trim()}`)).toBe(`Next: ${command.trim()}`);
});
