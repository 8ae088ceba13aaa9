import type { Place } from './features.ts';

/** A word, keyword or form of a task that speaks for a level. */
export type Found = {
  /** As the task spells it. */
  readonly word: string;
  readonly where: Place;
  readonly level: string;
  readonly weight: number;
};

/** A level and what it rests on. */
export type Ruling = {
  readonly level: string;
  /** What speaks for the level, the weightiest first. */
  readonly deciding: readonly Found[];
  /** What speaks for other levels. */
  readonly others: readonly Found[];
};

/** What was found, parted by whether it speaks for this level. */
export function rulingOf(level: string, found: readonly Found[]): Ruling {
  const sorted = found.toSorted((a, b) => b.weight - a.weight);
  return {
    level,
    deciding: sorted.filter((one) => one.level === level),
    others: sorted.filter((one) => one.level !== level),
  };
}
