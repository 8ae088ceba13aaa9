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
const UNGUARDED: Sign = {
  ...DROPPED,
  kind: 'guard_removed',
  reason: 'What refused a bad value is gone, and nothing refuses it now',
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
    .flatMap((change) => [...silenced(change, texts), ...unguarded(change, texts, all), ...ignored(change)]);
}

/** What refuses a value, whole: `if (…) throw …;`, `raise … unless …`. */
const GUARD =
  /^(?:(?:if|unless|guard)\b.{0,300}?\b(?:throw|raise|panic!?|die|abort|reject|fatalError|return\s+(?:[\w.]+(?:\{\})?,\s*)*(?:Err\(|fmt\.Errorf|errors\.|err\b|\{:error))\b.*|(?:throw|raise|die)\b.*\b(?:if|unless)\b.*|(?:Objects\.requireNonNull|Preconditions\.check\w+|require|requireNotNull|check|invariant|ensure!|bail!|assert!?|ArgumentNullException\.ThrowIf\w+|Guard\.\w+)\s*\(.*)$/;

/** A hunk that takes away nothing but what refused a value. */
function unguarded(change: Change, added: ReadonlySet<string>, all: readonly Change[]): readonly Signal[] {
  const { before, after, file } = change;
  if (file.newPath === null) return [];
  return [...changedLines(before.side)].flatMap(([hunk, lines]) => {
    const code = lines.filter((text) => !/^\s*(?:\/\/|#|\/?\*|"""|--)/.test(text)).map((text) => text.trim());
    if (changedLines(after.side).has(hunk) || code.length === 0 || code.length > MOST_GUARDS) return [];
    if (!isGuards(code) || code.some((text) => added.has(text)) || isAboutRemoved(code, all)) return [];
    const line = before.side.lines.findIndex(
      (one) => one.hunk === hunk && one.changed && one.text.trim() === code[0],
    );
    return testAt(before.tests, line) === null ? [signalAt(change, before.side, line, line, UNGUARDED)] : [];
  });
}

/** More lines than these are more than a few conditions. */
const MOST_GUARDS = 8;

/** Each line begins a condition that refuses, or belongs to one. */
function isGuards(lines: readonly string[]): boolean {
  const conditions = lines.reduce<string[]>((groups, text) => {
    if (/^(?:if|unless|guard|throw|raise|die)\b|^[\w.]+!?\s*\(/.test(text) && !isInside(groups.at(-1), text))
      groups.push(text);
    else groups.push(`${groups.pop() ?? ''} ${text}`);
    return groups;
  }, []);
  return conditions.every((text) => GUARD.test(text.trim()));
}

/** The condition before it has no consequence yet. */
function isInside(condition: string | undefined, text: string): boolean {
  return (
    condition !== undefined &&
    /[{:]$|\)$|\bthen$/.test(condition) &&
    !GUARD.test(condition) &&
    /^(?:throw|raise|die|panic|return|[\w.]+!?\s*\()/.test(text)
  );
}

/** What is asked for is taken away elsewhere in the diff, too. */
function isAboutRemoved(guard: readonly string[], all: readonly Change[]): boolean {
  const asked = new Set(
    guard
      .join(' ')
      .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '')
      .match(/[A-Za-z_]\w{3,}/g) ?? [],
  );
  const lines = all.flatMap(({ before: { side } }) => side.lines.filter(({ changed }) => changed));
  const others = lines.flatMap(({ text }) =>
    guard.includes(text.trim()) ? [] : (text.match(/[A-Za-z_]\w{3,}/g) ?? []),
  );
  return others.some(
    (word) => asked.has(word) && !/^(?:this|self|null|throw|raise|return|Error|unless)$/.test(word),
  );
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
