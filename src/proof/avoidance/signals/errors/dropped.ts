import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import type { Side } from '../../lex/side.ts';
import { remembered } from '../../remember.ts';
import { indentOf, testAt } from '../../tests/find-tests.ts';
import { changedLines, type Sign } from '../sign.ts';
import { ignored } from './ignored.ts';
import { lenient } from './lenient.ts';
import { DROPPED, type Place, placeAt } from './place.ts';
import { isNothing } from './quiet.ts';
import { unpassed } from './unpassed.ts';

const UNGUARDED: Sign = {
  ...DROPPED,
  kind: 'guard_removed',
  reason: 'What refused a bad value is gone, and nothing refuses it now',
};

/** An error is raised, or handed to the caller. */
const RAISES =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:throw\b|raise\b|panic!?\s*\(|return\s+(?:[^\n]*,\s*)?(?:err\b|Err\(|fmt\.Errorf|errors\.|(?:done|cb|callback|next)\(\s*(?:err|error|e|new)\b)|reject\s*\(|die\s*\()|^\s*\{?:error\b.*->\s*\{?:error\b/;
/** It goes on as if nothing had been, or says so to a log at most. */
const QUIET =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:return(?:\s+(?:null|nil|None|undefined|false|False|true|0|-1|''|""|\[\]|\{\}|[A-Z][A-Z\d_]{2,}|new [A-Z]\w*\(\)|[A-Z]\w*\(\)|(?:nil|0|""|false|\w*\{\}),\s*nil))?|pass|continue|(?:console\.\w+|print\w*|(?:s|k|g|z)?log(?:ger)?\.\w+|logging|(?:zap|logrus|zerolog|Log|Logger|Console|LOG)\.\w+\.\w+|fmt\.Print\w*|warnings\.warn|puts|warn|error_log|System\.(?:out|err)\.\w+)\b.*)\s*;?\s*$|^\s*\{?:error\b.*->\s*(?:\{:ok\b.*|:ok|nil|%\{\}|\[\])\s*$/;

/** What was given is the answer, as if nothing were wrong with it. */
const GIVES = /^\s*return\s+(?!\w*(?:err|error|ex|exc|fail\w*|reject\w*|result|res)\b)[a-z_]\w*\s*;?\s*$/i;
const CONDITION = /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*?\)\s)?\s*/;

/** Statements of production code that raised an error, with one in their place that doesn't; tests say nothing of it. */
export function droppedErrorSignals({ all }: Changes): readonly Signal[] {
  const added = all.flatMap(({ after }) => after.side.lines.filter(({ changed }) => changed));
  const texts = new Set(added.map(({ text }) => text.trim()));
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => {
      const isTold = (side: Side, line: number) => isToldByTests(side, line, wordsOfTests(all));
      return [
        ...silenced(change, texts).filter(({ line }) => !isTold(change.after.side, line)),
        ...unguarded(change, texts, all).filter(({ line }) => !isTold(change.before.side, line)),
        ...[...ignored(change), ...lenient(change), ...unpassed(change)].filter(
          ({ line }) => !isTold(change.after.side, line),
        ),
      ].map(({ signal }) => signal);
    });
}

const wordsOfTests = remembered((all: readonly Change[]): ReadonlySet<string> => {
  const lines = all
    .filter(({ role, file }) => role === 'test' && file.newPath !== null)
    .flatMap(({ before, after }) => [...before.side.lines, ...after.side.lines]);
  return new Set(
    lines.flatMap(({ changed, text }) => (changed ? (text.match(/[A-Za-z_]\w{2,}/g) ?? []) : [])),
  );
});

const DEFINITION =
  /\b(?:function\*?|def|func|fn|fun)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)|^\s*(?:(?:public|private|protected|internal|static|async|override|final|export|const)\s+)*(?:[\w<>[\],?]+\s+)?(\w+)\s*(?:=\s*(?:async\s*)?)?\([^;]*(?:\{|=>)\s*$/;

/** Changed lines of tests name the function that a line is in; where it isn't shown, they may. */
function isToldByTests(side: Side, line: number, told: ReadonlySet<string>): boolean {
  if (told.size === 0) return false;
  const own = side.lines[line];
  const above = side.lines.slice(0, line + 1).filter(({ hunk }) => hunk === own?.hunk);
  const header =
    above.findLast(({ text }) => indentOf(text) < indentOf(own?.text ?? '') && nameIn(text) !== null)?.text ??
    side.sections[own?.hunk ?? 0] ??
    '';
  const name = nameIn(header);
  return name === null || told.has(name);
}

function nameIn(text: string): string | null {
  const [, named, method] = DEFINITION.exec(text) ?? [];
  const name = named ?? method ?? null;
  return name !== null && /^(?:if|for|while|switch|catch|else|try|with|match|when)$/.test(name) ? null : name;
}

/** What refuses a value, whole: `if (…) throw …;`, `raise … unless …`. */
const GUARD =
  /^(?:(?:if|unless|guard)\b.{0,300}?\b(?:throw|raise|panic!?|die|abort|reject|fatalError|return\s+(?:[\w.]+(?:\{\})?,\s*)*(?:Err\(|fmt\.Errorf|errors\.|err\b|\{:error))\b.*|(?:throw|raise|die)\b.*\b(?:if|unless)\b.*|(?:Objects\.requireNonNull|Preconditions\.check\w+|require|requireNotNull|check|invariant|ensure!|bail!|assert!?|ArgumentNullException\.ThrowIf\w+|Guard\.\w+|(?:\w+\.)+(?:raise_for_status|EnsureSuccessStatusCode|ensureSuccess\w*))\s*\(.*)$/;

/** Lines in a row that are gone with nothing in their place, and that did nothing but refuse a value. */
function unguarded(change: Change, added: ReadonlySet<string>, all: readonly Change[]): readonly Place[] {
  const { before, file } = change;
  if (file.newPath === null) return [];
  return takenAway(change).flatMap((from) => {
    const to = before.side.lines.findIndex(({ changed }, at) => at > from && !changed);
    const code = before.side.lines
      .slice(from, to < 0 ? undefined : to)
      .map(({ text }) => text.trim())
      .filter((text) => text !== '' && !/^(?:\/\/|#|\/?\*|"""|--)/.test(text));
    if (code.length === 0 || code.length > MOST_GUARDS || !isGuards(code)) return [];
    if (code.some((text) => text.length > 2 && added.has(text)) || isAboutRemoved(code, all)) return [];
    return testAt(before.tests, from) === null ? [placeAt(change, before.side, from, UNGUARDED)] : [];
  });
}

/** Where lines of the old version begin that none of the new one took the place of. */
function takenAway({ before, after }: Change): readonly number[] {
  const [old, now] = [before.side.lines, after.side.lines];
  const found: number[] = [];
  for (let at = 0, other = 0; at < old.length; ) {
    const from = at;
    while (old[at]?.changed === true) at += 1;
    const beside = now[other]?.changed === true && now[other]?.hunk === old[from]?.hunk;
    while (now[other]?.changed === true) other += 1;
    if (at > from && !beside) found.push(from);
    at += 1;
    other += 1;
  }
  return found;
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

function silenced(change: Change, added: ReadonlySet<string>): readonly Place[] {
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
        (QUIET.test(one.text) || GIVES.test(one.text) || isNothing(one.text.replace(CONDITION, ''))) &&
        raised.some((text) => indentOf(text) === indentOf(one.text)),
    );
    return line >= 0 && testAt(after.tests, line) === null
      ? [placeAt(change, after.side, line, DROPPED)]
      : [];
  });
}
