import { splitWords, type Word } from './words.ts';

/** Something looked for in a text: one word or several in a row. */
export type Entry = {
  /** Lower case, at least one. */
  readonly words: readonly string[];
  /** The level it speaks for; `null`: it only keeps its words from meaning something else ("materialized view"). */
  readonly level: string | null;
  readonly weight: number;
  /** A keyword or a strong phrase: in a title it decides without the rest of the text. Other words are hints. */
  readonly decides: boolean;
  /** Counts only as the beginning of a title. */
  readonly leading: boolean;
  /** Given by a person. */
  readonly personal: boolean;
};

/** Entries by their first word. */
export type Dictionary = ReadonlyMap<string, readonly Entry[]>;

/** An entry of some level that was found, as the text spells it. */
export type Hit = { readonly entry: Entry & { readonly level: string }; readonly text: string };

/** What may stand before the first word of a title: "[web] ", "fix(parser): ", "ui: ". */
const PREFIX = /^\s*(?:(?:\[[^\]]*\]|[\p{L}\p{N}_-]+(?:\([^)]*\))?!?:)\s*)+/u;

/** Entries by their first word and by its plural; longer ones, and those for the beginning of a title, come first. */
export function makeDictionary(entries: readonly Entry[]): Dictionary {
  const dictionary = new Map<string, Entry[]>();
  const put = (word: string, entry: Entry) => {
    const others = dictionary.get(word);
    if (others === undefined) dictionary.set(word, [entry]);
    else others.push(entry);
  };
  for (const entry of entries) {
    const first = entry.words[0];
    if (first === undefined) continue;
    put(first, entry);
    put(`${first}s`, entry);
  }
  for (const list of dictionary.values()) list.sort(before);
  return dictionary;
}

function before(a: Entry, b: Entry): number {
  return (
    Number(b.personal) - Number(a.personal) ||
    b.words.length - a.words.length ||
    Number(b.leading) - Number(a.leading)
  );
}

/** All entries found in a text, each once, in order; a word belongs to one entry. */
export function findEntries(dictionary: Dictionary, text: string, isTitle: boolean): Hit[] {
  const words = splitWords(text);
  const beginning = isTitle ? beginningOf(text, words) : -1;
  const hits: Hit[] = [];
  let index = 0;
  while (index < words.length) {
    const entry = entryAt(dictionary, words, index, isTitle && (index === 0 || index === beginning));
    if (entry === null) {
      index += 1;
      continue;
    }
    const first = words[index];
    const last = words[index + entry.words.length - 1];
    index += entry.words.length;
    if (speaks(entry) && !hits.some((hit) => hit.entry === entry)) {
      hits.push({ entry, text: text.slice(first?.start, last?.end) });
    }
  }
  return hits;
}

function speaks(entry: Entry): entry is Hit['entry'] {
  return entry.level !== null;
}

/** Index of the first word behind a prefix. */
function beginningOf(text: string, words: readonly Word[]): number {
  // The expression costs more than all the rest, and most titles have no prefix.
  if (!text.includes(':') && !text.includes('[')) return 0;
  const prefix = PREFIX.exec(text)?.[0].length ?? 0;
  return words.findIndex(({ start }) => start >= prefix);
}

function entryAt(
  dictionary: Dictionary,
  words: readonly Word[],
  index: number,
  leads: boolean,
): Entry | null {
  const entries = dictionary.get(words[index]?.text ?? '');
  if (entries === undefined) return null;
  for (const entry of entries) {
    if ((leads || !entry.leading) && standsAt(entry, words, index)) return entry;
  }
  return null;
}

/** Whether the words behind the first are those of the entry. */
function standsAt(entry: Entry, words: readonly Word[], index: number): boolean {
  for (let offset = 1; offset < entry.words.length; offset += 1) {
    if (!isWord(words[index + offset]?.text, entry.words[offset] ?? '')) return false;
  }
  return true;
}

/** Equal, or the plural by `s`. */
function isWord(word: string | undefined, part: string): boolean {
  if (word === undefined) return false;
  return word === part || (word.length === part.length + 1 && word.endsWith('s') && word.startsWith(part));
}
