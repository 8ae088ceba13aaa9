import { expect, it } from 'vitest';
import { linesIn } from '../../../src/git/diff/file-facts.ts';
import { versionProblem } from '../../../src/git/repository/locate.ts';

it.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
  ['a\r\nb\r\n', 2],
  ['a\0\n', null],
])('%j has %j lines', (content, lines) => {
  expect(linesIn(Buffer.from(content))).toBe(lines);
});

it.each([
  ['git version 2.30.0', null],
  ['git version 2.39.5 (Apple Git-154)', null],
  ['git version 3.0.0', null],
  ['git version 2.29.9', 'git is 2.29; ralph needs 2.30 or newer. Update git.'],
  ['git version 1.99', 'git is 1.99; ralph needs 2.30 or newer. Update git.'],
])('judges %j', (text, problem) => {
  expect(versionProblem(text)).toBe(problem);
});

it('says what it saw when there is no version', () => {
  expect(versionProblem('hello')).toContain('"hello"');
});
