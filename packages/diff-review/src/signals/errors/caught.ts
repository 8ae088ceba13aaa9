import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import type { Side } from '../../lex/side.ts';
import { remembered } from '../../remember.ts';
import { indentOf, testAt } from '../../tests/find-tests.ts';
import { addedMatches, removedAround, type Sign, signalAt } from '../sign.ts';
import { bodyOf, isLog, isNothing } from './quiet.ts';

const CAUGHT: Sign = {
  category: 'error_swallowing',
  kind: 'error_only_logged',
  confidence: 0.75,
  reason: 'An error that was passed on is caught now, and at most logged',
};
const WIDENED: Sign = {
  ...CAUGHT,
  kind: 'catch_widened',
  reason: 'Any error is caught where only certain ones were, and none is passed on',
};

const CATCHES = /^[ \t]*(?:\}[ \t]*)?(?:catch\b|except\b|rescue\b|on[ \t]+\w+[ \t]+catch\b)[^\n]*/gm;
const BROAD =
  /^\s*\}?\s*(?:catch\b\s*(?:\{|\(\s*(?:final\s+|const\s+)?(?:\\?(?:Exception|Throwable|RuntimeException|Error|std::exception)\b[^|]*|\w+\s*:\s*(?:Exception|Throwable|unknown|any)|\.\.\.|(?:[a-z_$]\w*)?)\s*\))|on\s+(?:Exception|Error|Object)\s+catch\b|except\s*(?::|\(?\s*(?:Exception|BaseException)\b)|rescue\s*(?:$|=>|StandardError|Exception))/;
/** Errors that report something missing or cancelled, which isn't a failure. */
const EXPECTED =
  /Cancel|Abort|NotFound|NoSuch|ENOENT|Exists?\b|Missing|Stop|EOF|EndOf|Import|Timeout|Interrupt|KeyError/;

const PASSES = /\b(?:throw|raise|reject|panic|exit|abort)\b/;
/** Output that usually isn't read. */
const PRINTS = /\bprintStackTrace\b|\bSystem\.(?:out|err)\b/;
/** Logs at a level that asks for attention, in a loop that continues. */
const REPORTS = /\b(?:error|exception|critical|fatal|capture\w*|warn(?:ing)?|severe)\s*\(/i;

/** Returns signals for errors that production code used to pass on and now catches without handling. */
export function caughtErrorSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(
      ({ role, file, after }) =>
        role === 'source' && file.oldPath !== null && after.side.language.name !== 'shell',
    )
    .flatMap(wrapped);
}

function wrapped(change: Change): readonly Signal[] {
  const { side, tests } = change.after;
  return addedMatches(change, CATCHES).flatMap(({ line, text }) => {
    const body = bodyOf(side, line);
    const passes = PASSES.test(bodyOf(side, line, 'bare').join('\n'));
    if (testAt(tests, line) !== null || passes) return [];
    const broad = BROAD.test(text);
    const catches = removedAround(change, line).filter((one) => /\b(?:catch|except|rescue)\b/.test(one));
    if (catches.length > 0)
      return broad && !catches.some((one) => BROAD.test(one))
        ? [signalAt(change, side, line, line, WIDENED)]
        : [];
    const idle = body.every((one) => isNothing(one));
    const quiet = body.every((one) => isNothing(one) || isLog(one));
    const survives = isInLoop(side, line) && REPORTS.test(body.join('\n'));
    const drops = broad
      ? quiet && body.length > 0 && !survives
      : (idle || (quiet && PRINTS.test(body.join('\n')))) && !EXPECTED.test(text);
    return drops && wrapsKnown(change, line) ? [signalAt(change, side, line, line, CAUGHT)] : [];
  });
}

const LEADS = /^(?:return|await|const|let|var|val|final|auto|\w+(?::\s*\w+)?\s*:?=(?!=))\s+/;

function statement(text: string): string {
  let bare = text.trim().replace(/;$/, '');
  while (LEADS.test(bare)) bare = bare.replace(LEADS, '');
  return bare;
}

const statementsOf = remembered(
  ({ lines }: Side): ReadonlySet<string> => new Set(lines.map(({ text }) => statement(text))),
);

const OPENS = /^\s*(?:try|begin|do|def)\b|\btry\s*\{\s*$|\bdo\b(?:\s*\|[^|\n]*\|)?\s*$/;

function wrapsKnown({ before, after }: Change, line: number): boolean {
  const { lines } = after.side;
  const own = lines[line];
  const indent = indentOf(own?.text ?? '');
  const from = lines
    .slice(0, line)
    .findLastIndex(({ text, hunk }) => hunk === own?.hunk && indentOf(text) === indent && OPENS.test(text));
  if (from < 0) return false;
  // The method or block existed before, and so did the code in it.
  if (lines[from]?.changed === false) return !/^\s*\}?\s*(?:try|begin|do)\b/.test(lines[from]?.text ?? '');
  const known = statementsOf(before.side);
  return lines
    .slice(from + 1, line)
    .some(({ text }) => /[(=]|^\s*return\b|!\s*$/.test(text) && known.has(statement(text)));
}

function isInLoop({ lines }: Side, line: number): boolean {
  let indent = indentOf(lines[line]?.text ?? '');
  for (let at = line - 1; at >= 0 && lines[at]?.hunk === lines[line]?.hunk; at -= 1) {
    const text = lines[at]?.text ?? '';
    if (!/\w/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (/^\s*(?:for|foreach|while|loop|until)\b|\.(?:each|forEach|map)\b/.test(text)) return true;
  }
  return false;
}
