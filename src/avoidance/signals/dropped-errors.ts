import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import type { LanguageName } from '../lex/languages.ts';
import { indentOf, testAt } from '../tests/find-tests.ts';
import { addedMatches, changedLines, removedAround, type Sign, signalAt } from './sign.ts';

const DROPPED: Sign = {
  category: 'error_swallowing',
  kind: 'error_dropped',
  confidence: 0.75,
  reason: 'Where an error was raised or passed on, nothing is done about it now',
};

/** An error is raised, or handed to the caller. */
const RAISES =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:throw\b|raise\b|panic!?\s*\(|return\s+(?:[^\n]*,\s*)?(?:err\b|Err\(|fmt\.Errorf|errors\.)|die\s*\()/;
/** It goes on as if nothing had been, or says so to a log at most. */
const QUIET =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:return(?:\s+(?:null|nil|None|undefined|false|False|true|0|-1|''|""|\[\]|\{\}|(?:nil|0|""|false|\w*\{\}),\s*nil))?|pass|continue|(?:console\.\w+|print\w*|(?:s|k|g|z)?log(?:ger)?\.\w+|logging|(?:zap|logrus|zerolog|Log|Logger|Console|LOG)\.\w+\.\w+|fmt\.Print\w*|warnings\.warn|puts|warn|error_log|System\.(?:out|err)\.\w+)\b.*)\s*;?\s*$/;

/** Statements of production code that raised an error, with one in their place that doesn't; tests say nothing of it. */
export function droppedErrorSignals({ all }: Changes): readonly Signal[] {
  if (all.some(({ role, file }) => role === 'test' && file.newPath !== null)) return [];
  const added = all.flatMap(({ after }) => after.side.lines.filter(({ changed }) => changed));
  const texts = new Set(added.map(({ text }) => text.trim()));
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [...silenced(change, texts), ...ignored(change)]);
}

function silenced(change: Change, added: ReadonlySet<string>): readonly Signal[] {
  const { before, after } = change;
  return [...changedLines(after.side)].flatMap(([hunk, lines]) => {
    const raised = (changedLines(before.side).get(hunk) ?? []).filter(
      (text) => RAISES.test(text) && !added.has(text.trim()),
    );
    if (raised.length === 0 || lines.some((text) => RAISES.test(text))) return [];
    const line = after.side.lines.findIndex(
      (one) =>
        one.hunk === hunk &&
        one.changed &&
        QUIET.test(one.text) &&
        raised.some((text) => indentOf(text) === indentOf(one.text)),
    );
    return line >= 0 && testAt(after.tests, line) === null
      ? [signalAt(change, after.side, line, line, DROPPED)]
      : [];
  });
}

/** By language: forms that leave a result that may be an error where it is. */
const IGNORES: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  go: /^[ \t]*(?!defer\b|go\b|return\b)([\w.]+\([^\n]*\))[ \t]*$|\bdefer\s+func\s*\(\s*\)\s*\{\s*(?:_\s*=\s*)?recover\s*\(\s*\)\s*;?\s*\}\s*\(\s*\)/gm,
  rust: /(\b[\w.:]+\([^\n]*\))\.unwrap_or_default\(\)\s*;|\bdrop\(\s*([\w.:]+\([^\n]*\))\s*\)\s*;|\bif\s+let\s+Err\(_\w*\)\s*=\s*([^{\n]*?)\s*\{\s*\}/g,
  php: /[=\s(]@([a-z_]\w*\([^\n]*\))/g,
};

/** A call whose error was handled, and isn't any more. */
function ignored(change: Change): readonly Signal[] {
  const { side } = change.after;
  const pattern = IGNORES[side.language.name];
  if (pattern === undefined) return [];
  return addedMatches(change, pattern).flatMap(({ line, text, groups }) => {
    const call = groups.slice(1).find((group) => group !== undefined);
    const removed = removedAround(change, line);
    const handled = removed.some(
      (one) =>
        call !== undefined &&
        one.includes(call) &&
        (/\berr\b\s*:?=|\?\s*;|\?\s*$/.test(one) || side.language.name === 'php'),
    );
    const kept = changedLines(side).get(side.lines[line]?.hunk ?? -1) ?? [];
    const checked = kept.some((one) => /\berr\s*!=\s*nil|\?\s*;/.test(one));
    return (handled && !checked) || /\brecover\b/.test(text)
      ? [signalAt(change, side, line, line, DROPPED)]
      : [];
  });
}
