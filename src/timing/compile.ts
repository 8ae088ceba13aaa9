import { type Dictionary, type Entry, makeDictionary } from './dictionary.ts';
import { BUILT_IN_LEVEL_NAMES, type Level } from './levels.ts';
import { NEUTRAL, VOCABULARY, WEIGHTS } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** One dictionary for each list of levels: to make it takes longer than to classify a hundred tasks. */
const made = new WeakMap<readonly Level[], Dictionary>();

/**
 * Everything that speaks for one of these levels: a person's keywords, else the built-in vocabulary. The highest level
 * comes first, so that a word of two levels speaks for the higher one.
 */
export function vocabularyOf(levels: readonly Level[]): Dictionary {
  const known = made.get(levels);
  if (known !== undefined) return known;
  const neutral = { level: null, weight: 0, decides: false, leading: false, personal: false };
  const dictionary = makeDictionary([
    ...levels
      .toReversed()
      .flatMap((level) => [...(level.personal ? [] : builtInEntries(level)), ...keywordEntries(level)]),
    ...phrases(NEUTRAL).map((words) => ({ words, ...neutral })),
  ]);
  made.set(levels, dictionary);
  return dictionary;
}

/** The keywords of the levels alone, all of equal weight. */
export function tableOf(levels: readonly Level[]): Dictionary {
  return makeDictionary(levels.toReversed().flatMap(keywordEntries));
}

function keywordEntries({ name, keywords, personal }: Level): Entry[] {
  return keywords.map((keyword) => ({
    words: wordsOf(keyword),
    level: name,
    weight: WEIGHTS.clear,
    decides: true,
    leading: false,
    personal,
  }));
}

function builtInEntries({ name, keywords }: Level): Entry[] {
  const known = BUILT_IN_LEVEL_NAMES.find((builtIn) => builtIn === name);
  if (known === undefined) return [];
  const table = new Set(keywords.map((keyword) => wordsOf(keyword).join(' ')));
  const { leading, anywhere } = VOCABULARY[known];
  const strengths = ['decisive', 'strong', 'keyword', 'clear', 'weak'] as const;
  return [
    ...strengths.map((strength) => ({ list: leading[strength], strength, leading: true })),
    ...strengths.map((strength) => ({ list: anywhere[strength], strength, leading: false })),
  ].flatMap(({ list, strength, leading }) =>
    phrases(list ?? '').map((words) => ({
      words,
      level: known,
      weight: WEIGHTS[strength],
      decides: strength === 'decisive' || table.has(words.join(' ')),
      leading,
      personal: false,
    })),
  );
}

function phrases(list: string): string[][] {
  return list.split(',').map(wordsOf);
}
