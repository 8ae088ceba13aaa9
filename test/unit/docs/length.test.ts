import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
/** Lists of every command, key and rule, which grow with the program. */
const REFERENCE = ['CLI.md', 'CONFIGURATION.md', 'REVIEW_RULES.md'];
const FOR_DEVELOPERS = ['ARCHITECTURE.md', 'EXTENDING.md'];
const MOST_WORDS = 23_500;

it(`the documents for users have at most ${MOST_WORDS} words: what only developers need is in docs/internals`, () => {
  const names = readdirSync(DOCS).filter(
    (name) => name.endsWith('.md') && ![...REFERENCE, ...FOR_DEVELOPERS].includes(name),
  );
  const words = names.map((name) => readFileSync(`${DOCS}${name}`, 'utf8').trim().split(/\s+/).length);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
});
