import type { DescribedTask, Place } from './features.ts';
import type { Level } from './levels.ts';
import { type Found, type Ruling, rulingOf } from './ruling.ts';
import { splitWords } from './words.ts';

/**
 * The highest level with a keyword, of the title where one is in it, else of description and criteria; `null` where
 * there is none.
 */
export function ruleByKeywords(task: DescribedTask, levels: readonly Level[]): Ruling | null {
  const inTitle = keywordsIn(task.title, 'title', levels);
  const found =
    inTitle.length > 0
      ? inTitle
      : [
          ...keywordsIn(task.description, 'description', levels),
          ...keywordsIn(task.acceptance.join('\n'), 'criteria', levels),
        ];
  const highest = levels.findLast(({ name }) => found.some(({ level }) => level === name));
  return highest === undefined ? null : rulingOf(highest.name, found);
}

function keywordsIn(text: string, where: Place, levels: readonly Level[]): Found[] {
  const words = splitWords(text);
  return levels.flatMap(({ name, keywords }) =>
    keywords.flatMap((keyword): Found[] => {
      const parts = splitWords(keyword).map((word) => word.text);
      const at = words.findIndex((_, index) =>
        parts.every((part, offset) => isWord(words[index + offset]?.text, part)),
      );
      if (at === -1 || parts.length === 0) return [];
      const word = text.slice(words[at]?.start, words[at + parts.length - 1]?.end);
      return [{ word, where, level: name, weight: 1 }];
    }),
  );
}

/** Equal, or the plural by `s`. */
function isWord(word: string | undefined, part: string): boolean {
  return word === part || word === `${part}s`;
}
