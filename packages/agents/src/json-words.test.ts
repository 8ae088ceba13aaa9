import { expect, it } from 'vitest';
import { openJsonReader } from './json-words.ts';

function wordsOf(path: string, ...lines: string[]): string[] {
  const read = openJsonReader(path);
  return lines.flatMap((line) => read(line)).flatMap((event) => (event.kind === 'text' ? [event.text] : []));
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

it.each<[string, string, readonly string[], readonly string[]]>([
  ['a document a line', 'text', ['{"text":"one"}', '{"text":"two"}'], ['one', 'two']],
  ['one over many lines', 'result.text', pretty({ result: { text: 'a [ in it } {' } }), ['a [ in it } {']],
  ['nested lists', '0.*.1', pretty([[['a', 'b'], [], ['c', 'd']], []]), ['b', 'd']],
  [
    'a list whose items stand at the left',
    '*.text',
    ['[', '{"text":"one"},', '{"text":"two"}', ']'],
    ['one', 'two'],
  ],
  ['an end behind the last value', 'text', ['{"at": 1,', '  "text": "one"}'], ['one']],
  [
    'documents behind lines of a log',
    'text',
    ['[INFO] starting 3 workers', '{"text":"one"}', '[12:00:01] {done}', '{"text":"two"}'],
    ['one', 'two'],
  ],
  [
    'a document over many lines behind a line of a log',
    'text',
    ['{ starting }', '[note', ...pretty({ text: 'one' })],
    [],
  ],
  [
    'a document behind one that never ends',
    'text',
    ['{"at": [1,', '{"text":"one"}', '{"text":"two"}'],
    ['one', 'two'],
  ],
  ['nothing', 'text', ['ready', '{"other":"one"}', '{"text":1}', '[]'], []],
])('reads %s', (_what, path, lines, expected) => {
  expect(wordsOf(path, ...lines)).toEqual(expected);
});

it('reads a long document at once, not anew at each line of it', () => {
  const items = Array.from({ length: 40_000 }, (_, at) => ({ at: [at], text: `${at}` }));
  expect(wordsOf('*.text', ...pretty(items))).toHaveLength(40_000);
});
