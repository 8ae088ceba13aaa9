import { expect, it } from 'vitest';
import { languageOf } from './language-of.ts';
import { tokenize } from './tokenize.ts';

const read = (text: string) => tokenize(text, languageOf('a.ts')).map(({ kind, text: of }) => [kind, of]);
const QUOTE = String.fromCharCode(96);
/** Returns a template with this code in it. */
const template = (code: string) => `${QUOTE}"\${${code}}"${QUOTE}`;

it.each([
  ['a regular expression with a quotation mark', template('text.replace(/["\\\\]/g, "x")')],
  ['a comment with a quotation mark', template("a /* don't */ + b")],
  ['a comment with a brace', template('a // }\n')],
  ['a template in a template', template(`list.map((one) => ${template('one.name')}).join("")`)],
  ['an object', template('JSON.stringify({ a: { b: 1 } })')],
  ['a string with a brace', template('"}"')],
  ['text with braces', `${QUOTE}{ a } } {${QUOTE}`],
])('a template with %s is one string, and what follows is read', (_name, text) => {
  expect(read(`${text}; next`)).toEqual([
    ['string', text],
    ['punct', ';'],
    ['word', 'next'],
  ]);
});

it('a template that is never closed is a string to the end, however many are in one another', () => {
  const open = `${QUOTE}\${`;
  for (const levels of [1, 3, 50_000]) {
    const text = open.repeat(levels);
    expect(read(`a ${text}`)).toEqual([
      ['word', 'a'],
      ['string', text],
    ]);
  }
});
