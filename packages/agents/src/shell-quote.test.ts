import fc from 'fast-check';
import { shellQuote, withoutShell } from 'ralph-kit/shell-quote';
import { describe, expect, it } from 'vitest';
import { actionOf } from '../../../test/helpers/action.ts';
import { ADAPTERS } from './index.ts';

/** Makes words with the characters that quoting is about, and with any others. */
const command = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab \'"\\$`\n\t;|&<>!#~*?[]{}()=-/ä😀') }),
  fc.string({ unit: 'binary' }),
);

const SAFE = /^[\w@%+=:,./-]+$/;

/** The ways in which programs quote a word for a shell. */
const quoters: readonly (readonly [name: string, quote: (word: string) => string])[] = [
  [
    'single quotes, others in double ones',
    (word) => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`),
  ],
  ['single quotes, others escaped', shellQuote],
  ['double quotes', (word) => (SAFE.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`)],
];

const shells = fc.constantFrom('/bin/bash', 'bash', '/usr/bin/zsh', '/bin/sh', 'sh', '/bin/dash');
const flags = fc.constantFrom('-lc', '-c');

describe.each(quoters)('a command of a shell, joined with %s', (_, quote) => {
  const joined = (words: readonly string[]) => words.map(quote).join(' ');

  it('reads as the command', () => {
    fc.assert(
      fc.property(command, shells, flags, (text, shell, flag) => {
        expect(withoutShell(joined([shell, flag, text]))).toBe(withoutShell(text));
      }),
    );
  });

  it('has the key of the command that codex asked about', () => {
    const { key } = ADAPTERS.codex.hook;
    fc.assert(
      fc.property(command, (text) => {
        const streamed = actionOf('shell', { command: joined(['/bin/bash', '-lc', text]) });
        expect(key(streamed)).toBe(key(actionOf('Bash', { command: text })));
      }),
    );
  });
});

it.each([
  ['/bin/bash -lc ls', 'ls'],
  [`/bin/bash -lc 'echo '"'"'a b'"'"''`, "echo 'a b'"],
  ['/bin/bash -lc "echo \'a\' \\"b\\" \\$HOME"', 'echo \'a\' "b" $HOME'],
  ["/bin/bash -lc 'cat <<EOF > a\nx $y\nEOF'", 'cat <<EOF > a\nx $y\nEOF'],
  ["bash -c 'sh -c ls'", 'ls'],
])('%s is %s', (line, inner) => {
  expect(withoutShell(line)).toBe(inner);
});

it.each([
  'ls',
  'bash',
  'bash -c',
  'bash -lc ls -a',
  'bash -lc ls; rm a',
  'bash -lc $COMMAND',
  'bash -lc "$(cat a)"',
  "bash -lc 'ls",
  'bash -x -c ls',
  'python3 -c ls',
  'X=1 bash -c ls',
])('%s stays as it is', (line) => {
  expect(withoutShell(line)).toBe(line);
});
