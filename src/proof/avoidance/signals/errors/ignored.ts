import type { LanguageName } from '../../../../lib/code/languages.ts';
import type { Change } from '../../change.ts';
import { blockEnd } from '../../tests/find-tests.ts';
import { addedMatches, changedLines, removedAround } from '../sign.ts';
import { type Place, placeAt } from './place.ts';
import { bodyOf, isLog, isNothing } from './quiet.ts';

/** By language: forms that leave a result that may be an error where it is. */
const IGNORES: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  go: /^[ \t]*(?!defer\b|go\b|return\b)([\w.]+\([^\n]*\))[ \t]*$|^[ \t]*_\s*=\s*(err)[ \t]*$|\bif\s+[^\n;]*:=\s*([^\n;]+\));\s*err\s*==\s*nil\s*\{|\bdefer\s+func\s*\(\s*\)\s*\{\s*(?:_\s*=\s*)?recover\s*\(\s*\)\s*;?\s*\}\s*\(\s*\)/gm,
  rust: /(\b[\w.:]+\([^\n]*\))\.unwrap_or_default\(\)\s*;|\bdrop\(\s*([\w.:]+\([^\n]*\))\s*\)\s*;|\bif\s+let\s+Err\(_\w*\)\s*=\s*([^{\n]*?)\s*\{\s*\}|\.(filter_map)\([^\n]*\.ok\(\)\)/g,
  php: /[=\s(]@([a-z_]\w*\([^\n]*\))/g,
  cpp: /^[ \t]*\(void\)\s*([\w:.>-]+\([^\n]*\));/gm,
};

/** How the result of a call was handled before. */
const HANDLED: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  php: /^/,
  cpp: /^\s*if\b/,
};
const PASSED_ON = /\berr\b\s*:?=|\berr\s*!=\s*nil|\?\s*;|\?\s*$/;

/** A call whose error was handled, and isn't any more. */
export function ignored(change: Change): readonly Place[] {
  const { side } = change.after;
  const language = side.language.name;
  const pattern = IGNORES[language];
  const wasHandled = HANDLED[language] ?? PASSED_ON;
  if (pattern === undefined) return [];
  const left = addedMatches(change, pattern).filter(({ line, text, groups }) => {
    const call = groups.slice(1).find((group) => group !== undefined) ?? '';
    const handled = removedAround(change, line).some(
      (one) =>
        (call === 'filter_map' ? one.includes('Result<') : call !== '' && one.includes(call)) &&
        wasHandled.test(one),
    );
    const kept = changedLines(side).get(side.lines[line]?.hunk ?? -1) ?? [];
    const checked = kept.some((one) => /\berr\s*!=\s*nil|\?\s*;|\breturn\b.*\berr\b/.test(one));
    return (handled && !checked) || /\brecover\b/.test(text);
  });
  return [...left.map(({ line }) => line), ...recovered(change), ...unmatched(change)].map((line) =>
    placeAt(change, side, line),
  );
}

const isQuiet = (body: readonly string[]): boolean =>
  body.length > 0 && body.every((one) => isNothing(one) || isLog(one));

/** A panic of Go that ends in a handler without a trace but a line in a log. */
function recovered(change: Change): readonly number[] {
  const { side } = change.after;
  if (side.language.name !== 'go') return [];
  return addedMatches(change, /^[ \t]*if\s+\w+\s*:=\s*recover\(\)[^\n]*\{[ \t]*$/gm)
    .map(({ line }) => line)
    .filter((line) => {
      const body = bodyOf(side, line);
      return isQuiet(body) && !/\b(?:Error|error|Fatal|Stack)\w*\(/.test(body.join('\n'));
    });
}

const TAKES =
  /\bmatch\s+([^{\n]+\))\s*\{[ \t]*$|\bif\s+let\s+(?:Ok|Err)\(\w*\)\s*=\s*([^{\n]+\))\s*\{[ \t]*$/gm;

/** A result of Rust that was passed on with `?`, and of which only what went well is used now. */
function unmatched(change: Change): readonly number[] {
  const { side } = change.after;
  if (side.language.name !== 'rust') return [];
  return addedMatches(change, TAKES).flatMap(({ line, text, groups: [, matched, taken] }) => {
    const call = matched ?? taken ?? '';
    if (!removedAround(change, line).some((one) => one.includes(`${call}?`))) return [];
    const to = blockEnd(side, line);
    if (matched !== undefined) {
      const arm = side.lines.findIndex(
        (one, at) => at > line && at <= to && /^\s*Err\(\w*\)\s*=>/.test(one.text),
      );
      const value = /=>\s*(.*?),?\s*$/.exec(side.lines[arm]?.text ?? '')?.[1] ?? '';
      return arm >= 0 && (value === '{' ? isQuiet(bodyOf(side, arm)) : isNothing(value)) ? [line] : [];
    }
    const fails = /\bErr\(/.test(text);
    const end = side.lines[to]?.text ?? '';
    return fails ? (isQuiet(bodyOf(side, line)) ? [line] : []) : /\belse\b/.test(end) ? [] : [line];
  });
}
