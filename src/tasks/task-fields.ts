import { GRADES, type Grade } from '../domain/proof.ts';
import { TaskKind, type TrackedStatus } from '../domain/task.ts';
import { nearestDuration } from '../lib/duration.ts';
import { didYouMean } from '../lib/nearest.ts';
import { own } from '../lib/own.ts';

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

/** What a value of these fields is, for messages, and the nearest right one to a text that isn't one. */
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
  proof: { expected: 'none, gates, tests or held-out', hint: (text: string) => didYouMean(text, GRADES) },
};

/** 1, "1", "P1", "high": a number, 1 the most urgent; `null` for anything else. */
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
  return GRADES.find((grade) => grade === word) ?? null;
}

/** Words for a status, the one that is written first. */
export const STATUS_WORDS: Readonly<Record<TrackedStatus, readonly string[]>> = {
  open: ['open', 'todo', 'to_do', 'pending', 'not_started', 'ready', 'new', 'backlog', 'planned'],
  in_progress: ['in_progress', 'doing', 'started', 'active', 'wip', 'working', 'hooked'],
  done: ['done', 'completed', 'complete', 'closed', 'passed', 'finished'],
  blocked: ['blocked', 'stuck'],
  parked: ['parked', 'on_hold', 'waiting', 'awaiting_human', 'deferred', 'review', 'in_review', 'pinned'],
};

/** Whether a word says that nothing is to be done any more. */
export function isGivenUp(word: unknown): boolean {
  return (
    typeof word === 'string' &&
    /^(?:cancell?ed|tombstone|wont_?do|rejected|removed|dropped)$/i.test(word.trim())
  );
}

const STATUS_OF_WORD = new Map<string, TrackedStatus>(
  Object.entries(STATUS_WORDS).flatMap(([status, words]) =>
    words.map((word): [string, TrackedStatus] => [word, status as TrackedStatus]),
  ),
);

/** The status a word stands for, whatever its case and whether `-`, `_` or a space is between; `null`: not known. */
export function readStatusWord(word: string): TrackedStatus | null {
  const exact = STATUS_OF_WORD.get(word);
  if (exact !== undefined) return exact;
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return STATUS_OF_WORD.get(plain) ?? null;
}

/** "1, #2 and E1-02" → ["1", "#2", "E1-02"]; "none" and its like → []. */
export function readReferences(text: string): string[] {
  const references: string[] = [];
  for (const part of text.split(/[,;]|\s(?:and|&)\s|(?<=\d)\s+(?=#?\d)/i)) {
    const reference = part
      .replace(/\(.*$/, '')
      .replace(/[`*[\]"']/g, '')
      .trim()
      .replace(/^(?:tasks?|story|stories|issues?)\s+/i, '')
      .replace(/\.$/, '')
      .replace(/^(#?[\w.-]*\d[\w.-]*)\s(?![-–—]|to\s+[\w.-]*\d).*$/, '$1');
    if (reference === '' || /^(?:none|nothing|n\/a|-|–|—)$/i.test(reference)) continue;
    if (!references.includes(reference)) references.push(reference);
  }
  return references;
}

export function readNames(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim().replace(/^`(.*)`$/, '$1'))
    .filter((part) => part !== '');
}

/** A value for a message, on one line and short. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
