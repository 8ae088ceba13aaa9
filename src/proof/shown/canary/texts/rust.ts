import type { Beside, TestText } from './test-text.ts';

/** Macros of the language: nothing that production code could replace in another program. */
export function rustText({ word }: Beside): TestText {
  const text = [
    '#![allow(clippy::all)]',
    '',
    '#[test]',
    `fn ${word}() {`,
    '    assert_eq!(1 + 1, 3);',
    '}',
    '',
  ];
  return { text: text.join('\n'), loads: [] };
}
