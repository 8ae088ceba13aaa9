import type { ReviewPlace } from '../domain/review.ts';
import { type Budget, isSpent, newBudget, spend, spendAll } from './budget.ts';
import { judgeDeletions } from './deletions.ts';
import type { Denial } from './denial.ts';
import { editorScript } from './editor-scripts.ts';
import { fieldText } from './field.ts';
import { inlineCode, judgeCode } from './inline-code.ts';
import { judgeInteractive } from './interactive.ts';
import { judgePatchCommand } from './judge-patch.ts';
import { judgeWrite } from './judge-path.ts';
import { withMadeLinks } from './made-links.ts';
import { LONGEST_COMMAND, readCommand } from './parse-command.ts';
import { judgeSpent, judgeUnparsed } from './unparsed.ts';
import { judgeWrites } from './writes.ts';

/** What comes of a shell command that is run in that folder; `null`: nothing against it. */
export function judgeCommand(text: string, cwd: string, place: ReviewPlace): Denial | null {
  return judgeShell(text, cwd, place, { depth: 0, budget: newBudget() });
}

/** Programs in programs beyond this are not followed. */
const DEEPEST = 3;

type Limits = { readonly depth: number; readonly budget: Budget };

function judgeShell(text: string, cwd: string, outer: ReviewPlace, { depth, budget }: Limits): Denial | null {
  const reading = readCommand(text, cwd, outer, budget);
  const place = withMadeLinks(reading.commands, outer);
  for (const command of reading.commands) {
    const denial =
      judgeDeletions(command, place) ??
      judgeWrites(command, place) ??
      judgePatchCommand(command, place) ??
      (place.unseenInput ? judgeInteractive(command) : null);
    if (denial !== null) return denial;
    const { cwds } = command;
    const shell = (inner: string) =>
      firstOf(cwds, (folder) => judgeShell(inner, folder ?? '/', place, { depth: depth + 1, budget }));
    const codes = inlineCode(command);
    const length = codes.reduce((sum, code) => sum + fieldText(code).length, 0);
    if (codes.length > 0 && depth >= DEEPEST) spendAll(budget);
    if (!spend(budget, length / 4)) continue;
    const script = editorScript(command);
    const inside =
      firstOf(codes, (code) => judgeCode(code, { place, cwds, shell })) ??
      firstOf(script?.writes ?? [], (target) => judgeWrite(target, cwds, place)) ??
      firstOf(script?.shells ?? [], shell);
    if (inside !== null) return inside;
  }
  if (isSpent(budget)) return judgeSpent();
  return reading.complete
    ? null
    : judgeUnparsed(text, text.length > LONGEST_COMMAND ? 'too long' : 'no shell');
}

/** The first denial among several. */
export function firstOf<T>(values: readonly T[], judge: (value: T) => Denial | null): Denial | null {
  for (const value of values) {
    const denial = judge(value);
    if (denial !== null) return denial;
  }
  return null;
}
