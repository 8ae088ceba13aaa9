import { nearestDuration } from 'ralph-kit/duration';
import { didYouMean } from 'ralph-kit/nearest';
import { own } from 'ralph-kit/own';
import { Grade, TaskKind } from './task.ts';

const PRIORITY_WORDS: Readonly<Record<string, number>> = {
  critical: 1,
  urgent: 1,
  highest: 1,
  high: 1,
  medium: 2,
  normal: 2,
  moderate: 2,
  low: 3,
  lowest: 3,
};

/** Words for valid values of these fields, for messages, with a suggestion for an invalid one. */
export const EXPECTED = {
  priority: {
    expected: 'a number or high, medium, low',
    hint: (text: string) => didYouMean(text, Object.keys(PRIORITY_WORDS)),
  },
  timeout: {
    expected: 'seconds or a duration such as "90s", "30m", "2h"',
    hint: (text: string) => {
      const near = nearestDuration(text);
      return near === null ? '' : ` Did you mean ${near}?`;
    },
  },
  kind: {
    expected: 'build, verify or research',
    hint: (text: string) => didYouMean(text, TaskKind.options),
  },
  proof: {
    expected: 'none, gates, tests or held-out',
    hint: (text: string) => didYouMean(text, Grade.options),
  },
};

/**
 * Returns a priority as a number, where 1 is the most urgent, from 1, "1", "P1" or "high"; `null` for anything else.
 */
export function readPriority(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  const numbered = /^p?(\d{1,6}(?:\.\d{1,6})?)$/.exec(word);
  if (numbered) return Number(numbered[1]);
  return own(PRIORITY_WORDS, word) ?? null;
}

export function readKind(value: unknown): TaskKind | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return TaskKind.options.find((kind) => kind === word) ?? null;
}

export function readGrade(value: unknown): Grade | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return Grade.options.find((grade) => grade === word) ?? null;
}

/** Signs and words between two references, besides a comma and "and". */
export const JOINING = { signs: '[+&|·•→]|[-=]>', words: 'or|plus|then' };
/** The beginning of a reference, maybe with markup or a word in front of it. */
const REFERENCE_NEXT = String.raw`(?=[*_\x60"'[(]*(?:(?:task|story|issue)\s+)?#?[\w.-]*\d)`;
/** Pattern of what stands between two references: a comma, "and", or a sign or word with an id behind it. */
export const BETWEEN = [
  '[,;]',
  String.raw`\s(?:and|&)\s`,
  String.raw`(?<=\d)\s+(?=#?\d)`,
  String.raw`\s*(?:${JOINING.signs})\s*${REFERENCE_NEXT}`,
  String.raw`\s(?:${JOINING.words})\s+${REFERENCE_NEXT}`,
].join('|');
/** A slash between ids of one form, such as `T-1/T-2`; elsewhere it may be part of an id. */
const SLASH = /(?<![\w.#-])(#|[A-Za-z_-]*)(\d[\d.]*)\s*\/\s*(?=\1\d[\d.]*(?![\w#-]))/g;

/** Returns ["1", "#2", "E1-02"] for "1, #2 and E1-02", and [] for "none" and similar words. */
export function readReferences(text: string): string[] {
  const references: string[] = [];
  const bare = text
    .trim()
    .replace(/^\(([^()]*)\)$/, '$1')
    .replace(/(?<=\S)\s*\([^()]*\)/g, '')
    .replace(SLASH, '$1$2, ');
  for (const part of bare.split(new RegExp(BETWEEN, 'i'))) {
    const plain = part
      .replace(/\(.*$/, '')
      .replace(/[`*[\]"']/g, '')
      .trim()
      .replace(/^(?:(?:and|both)\s+)?(?:tasks?|story|stories|issues?)\s+|^(?:and|both)\s+/i, '')
      .replace(/\.$/, '');
    const words = plain.split(/\s+/);
    // "T-1 T-2" names two tasks, "T-1 because of T-2" one.
    const isList = words.length > 1 && words.every((word) => /^#?[\w.-]*\d[\w.-]*$/.test(word));
    const named = isList
      ? words
      : [plain.replace(/^(#?[\w.-]*\d[\w.-]*)\s(?!(?:[-–—]|to\s)\s*\S*\d).*$/, '$1')];
    for (const reference of named) {
      if (reference === '' || /^(?:none|nothing|n\/a|-|–|—)$/i.test(reference)) continue;
      if (!references.includes(reference)) references.push(reference);
    }
  }
  return references;
}

export function readNames(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim().replace(/^`(.*)`$/, '$1'))
    .filter((part) => part !== '');
}

/** Returns a value for a message: short, and on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
