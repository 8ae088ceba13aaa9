import { displayWidth, fitWidth } from '../../../lib/columns.ts';

/** A part of a line. */
export type Part = {
  readonly text: string;
  /** Parts of the lowest rank go first where the line is too narrow. */
  readonly rank: number;
  /** It may be cut down to so many columns; absent: it is shown whole or not at all. */
  readonly least?: number;
  /** What stands between it and the part before. */
  readonly joint?: string;
};

const JOINT = ' · ';

/** The parts on one line of at most that many columns: the least important ones are cut, then left out. */
export function fitParts(parts: readonly Part[], width: number): string {
  let kept = parts.filter(
    ({ text, least }) => text !== '' && (least !== undefined || displayWidth(text) <= width),
  );
  while (kept.length > 0) {
    const line = laidOut(kept, width);
    if (line !== null) return line;
    const lowest = Math.min(...kept.map(({ rank }) => rank));
    kept = kept.filter(({ rank }) => rank !== lowest);
  }
  return '';
}

/** `null`: they don't fit. */
function laidOut(parts: readonly Part[], width: number): string | null {
  const joints = parts.map(({ joint = JOINT }, at) => (at === 0 ? '' : joint));
  const wholes = parts.map(({ text }) => displayWidth(text));
  const widths = parts.map(({ least }, at) => Math.min(wholes[at] ?? 0, least ?? Number.POSITIVE_INFINITY));
  let room = width - sum(joints.map(displayWidth)) - sum(widths);
  if (room < 0) return null;
  // What is left goes to the most important part that is cut.
  const byRank = parts
    .map((_, at) => at)
    .sort((one, other) => (parts[other]?.rank ?? 0) - (parts[one]?.rank ?? 0));
  for (const at of byRank) {
    const more = Math.min(room, (wholes[at] ?? 0) - (widths[at] ?? 0));
    widths[at] = (widths[at] ?? 0) + more;
    room -= more;
  }
  return parts.map(({ text }, at) => `${joints[at]}${fitWidth(text, widths[at] ?? 0)}`).join('');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
