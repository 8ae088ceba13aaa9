import type { Change } from '../../change.ts';
import { findCode, type Side } from '../../lex/side.ts';
import { testAt } from '../../tests/find-tests.ts';
import { type Place, placeAt } from './place.ts';
import { bodyOf, isLog, isNothing } from './quiet.ts';

/** Where an error, or what is one, is handled. */
const HANDLERS =
  /^[ \t]*(?:\}[ \t]*)?(?:catch\b|except\b|rescue\b|on[ \t]+\w+[ \t]+catch\b|if\b|elif\b|else\b|unless\b|guard\b|case\b|Err\()[^\n]*|^[^\n]*(?:\.catch\s*\(|=>|->|\bdo)[^\n]*[{:]?[ \t]*$|^[^\n]*\bfunction\s*\([^\n]*\{[ \t]*$/gm;
/** The error is raised, handed on, or ends the process as a failure. */
const PASSES =
  /\b(?:throw|raise|rethrow|reject|panic!?|fatal\w*|Fatal\w*|[eE]xit|abort|die|fail\w*|bail!|unreachable!|halt|exitCode|completeExceptionally)\b|\b(?:next|done|cb|callback|onError)\s*\(\s*(?:err|error|e|ex|new)\b|\breturn\b[^\n]*\b(?:err|error|ex|Err|errors|Errorf|[1-9]\d*|-1)\b|\bErr\s*\(|\{:error/;
const ENDS_WELL = /\b[eE]xit\s*\(?\s*0\b/g;

/** Handlers that passed an error on, and that are still there without that. */
export function unpassed(change: Change): readonly Place[] {
  const { before, after } = change;
  const passed = new Map<string, boolean>();
  for (const { line, changed } of findCode(before.side, HANDLERS)) {
    if (!changed) passed.set(keyOf(before.side, line), passes(before.side, line));
  }
  if (passed.size === 0) return [];
  return findCode(after.side, HANDLERS)
    .filter(({ changed }) => !changed)
    .filter(({ line }) => passed.get(keyOf(after.side, line)) === true && !passes(after.side, line))
    .filter(({ line }) => testAt(after.tests, line) === null && isQuiet(after.side, line))
    .map(({ line }) => placeAt(change, after.side, line));
}

/** Unchanged lines are the same in both versions, in the same order; those with the same text are told apart by their number. */
function keyOf({ lines }: Side, line: number): string {
  const own = lines[line];
  const same = lines.slice(0, line).filter((one) => !one.changed && one.text === own?.text).length;
  return `${own?.text ?? ''}\n${same}`;
}

function passes(side: Side, line: number): boolean {
  return PASSES.test(bodyOf(side, line, 'bare').join('\n').replace(ENDS_WELL, ''));
}

function isQuiet(side: Side, line: number): boolean {
  const body = bodyOf(side, line);
  return body.length > 0 && body.every((one) => isNothing(one) || isLog(one));
}
