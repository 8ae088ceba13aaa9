import { type Change, excerpt } from '../change.ts';
import type { AvoidanceCategory, Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';

export type Sign = {
  readonly category: AvoidanceCategory;
  readonly kind: string;
  readonly confidence: number;
  readonly reason: string;
};

/** The signal of something that a version has in certain lines. */
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

/** Matches that the new version has more of than the old one: moved code isn't new. */
export function addedMatches(
  change: Change,
  pattern: RegExp,
  view: 'code' | 'bare' = 'code',
): readonly Match[] {
  const key = ({ text }: Match) => text.replace(/\s+/g, ' ').trim();
  const before = findCode(change.before.side, pattern, view)
    .filter(({ changed }) => changed)
    .map(key);
  return findCode(change.after.side, pattern, view).filter((match) => {
    if (!match.changed) return false;
    const at = before.indexOf(key(match));
    if (at < 0) return true;
    before.splice(at, 1);
    return false;
  });
}
