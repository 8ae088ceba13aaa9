import type { ReviewPlace } from '../domain/review.ts';
import { judgeDeletions } from './deletions.ts';
import type { Denial } from './denial.ts';
import { inlineCode, judgeCode } from './inline-code.ts';
import { judgeInteractive } from './interactive.ts';
import { LONGEST_COMMAND, readCommand } from './parse-command.ts';
import { judgeUnparsed } from './unparsed.ts';
import { judgeWrites } from './writes.ts';

/** What comes of a shell command that is run in that folder; `null`: nothing against it. */
export function judgeCommand(text: string, cwd: string, place: ReviewPlace): Denial | null {
  return judgeShell(text, cwd, place, 0);
}

/** Programs in programs beyond this are not followed. */
const DEEPEST = 3;

function judgeShell(text: string, cwd: string, place: ReviewPlace, depth: number): Denial | null {
  const reading = readCommand(text, cwd, place.root, place.home);
  for (const command of reading.commands) {
    const denial =
      judgeDeletions(command, place) ??
      judgeWrites(command, place) ??
      (place.unseenInput ? judgeInteractive(command) : null);
    if (denial !== null) return denial;
    const codes = depth < DEEPEST ? inlineCode(command) : [];
    for (const code of codes) {
      const inside = judgeCode(code, {
        place,
        cwds: command.cwds,
        shell: (inner, cwds) => firstOf(cwds, (folder) => judgeShell(inner, folder ?? '/', place, depth + 1)),
      });
      if (inside !== null) return inside;
    }
  }
  return reading.complete
    ? null
    : judgeUnparsed(text, text.length > LONGEST_COMMAND ? 'too long' : 'no shell');
}

function firstOf<T>(values: readonly T[], judge: (value: T) => Denial | null): Denial | null {
  for (const value of values) {
    const denial = judge(value);
    if (denial !== null) return denial;
  }
  return null;
}
