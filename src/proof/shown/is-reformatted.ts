import { languageOf, tokenize } from 'ralph-ecosystems';

/** Words that formatters and fixers of linters replace by each other. */
const INTERCHANGEABLE: ReadonlySet<string> = new Set(['let', 'const', 'var']);

/** Returns whether two texts differ only as by a formatter, with the same words and numbers. `null` is a missing file. */
export function isReformatted(path: string, before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  return wordsOf(path, before) === wordsOf(path, after);
}

function wordsOf(path: string, text: string): string {
  return tokenize(text, languageOf(path))
    .filter(({ kind, text: word }) => (kind === 'word' || kind === 'number') && !INTERCHANGEABLE.has(word))
    .map(({ text: word }) => word)
    .toSorted()
    .join(' ');
}
