import { type Change, excerpt } from '../change.ts';
import type { AvoidanceCategory, Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';
import { Counts, remembered } from '../remember.ts';

export type Sign = {
  readonly category: AvoidanceCategory;
  readonly kind: string;
  readonly confidence: number;
  readonly reason: string;
};

/** Confidence in a sign that may as well be the fix of a wrong test. It is below `SURE_DETECTION`, so that you are asked. */
export const ASKED = 0.65;

export function signalAt(
  change: Change,
  side: Side,
  from: number,
  to: number,
  sign: Sign,
  test: string | null = null,
): Signal {
  const gone = side === change.before.side;
  const lines = excerpt(side, from, to);
  return {
    ...sign,
    path: change.path,
    line: side.lines[from]?.number ?? 0,
    before: gone ? lines : null,
    after: gone ? null : lines,
    test,
  };
}

/** Returns matches that the new version has more of than the old one, so that moved code isn't new. */
export function addedMatches(
  change: Change,
  pattern: RegExp,
  view: 'code' | 'bare' = 'code',
): readonly Match[] {
  const added = findCode(change.after.side, pattern, view).filter(({ changed }) => changed);
  if (added.length === 0) return [];
  const key = ({ text }: Match) => text.replace(/\s+/g, ' ').trim();
  const before = new Counts(
    findCode(change.before.side, pattern, view)
      .filter(({ changed }) => changed)
      .map(key),
  );
  return added.filter((match) => !before.take(key(match)));
}

export const changedLines = remembered((side: Side): ReadonlyMap<number, readonly string[]> => {
  const hunks = new Map<number, string[]>();
  for (const { changed, text, hunk } of side.lines) {
    if (!changed || !/\w/.test(text)) continue;
    const lines = hunks.get(hunk) ?? [];
    lines.push(text);
    hunks.set(hunk, lines);
  }
  return hunks;
});

export function removedAround({ before, after }: Change, line: number): readonly string[] {
  return changedLines(before.side).get(after.side.lines[line]?.hunk ?? -1) ?? [];
}
