import { languageOf, tokenize } from '../../ecosystems/index.ts';

/** Words that formatters and fixers of linters put in the place of each other. */
const INTERCHANGEABLE: ReadonlySet<string> = new Set(['let', 'const', 'var']);

/** Whether what was written differs, and only as a formatter leaves it: the words and numbers are the same. `null`: no text. */
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
