import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import type { Side } from '../lex/side.ts';
import { indentOf, testAt } from '../tests/find-tests.ts';
import { ENUMERATED, isTrivial, isWrittenOut, valuesIn } from './literals.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const SPECIAL: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'literal_branch',
  confidence: 0.8,
  reason: 'A given input is answered with a written-out result instead of computing it',
};
const BY_SURROUNDINGS: Sign = {
  ...SPECIAL,
  kind: 'answer_by_surroundings',
  reason: 'Where the code runs decides whether a written-out result is given instead of a computed one',
};
const CUT_OFF: Sign = {
  ...SPECIAL,
  kind: 'constant_result',
  reason: 'A constant is returned in front of the computation',
};
const INLINE_TABLE: Sign = {
  ...SPECIAL,
  kind: 'literal_table',
  reason: 'Results are looked up in a table of given inputs instead of computed',
};

/** What is asked for before an answer: the first group is what is asked, the second the answer. */
const ANSWERS: readonly RegExp[] = [
  /\b(?:if|elif|elsif|unless|while)\b[ \t]*([^\n]*?)[ \t]*(?:\{|:|\)|\bthen\b)?[ \t]*\n?[ \t]*(?:\{[ \t]*)?\breturn\b[ \t]+([^\n]*)$/gm,
  /()\breturn\s+([^\n]*?\S[ \t]+(?:if|unless)\s+[^\n]*)$/gm,
  /()\breturn\s+([^\n?]*\?[^\n:]*:[^\n]*)$/gm,
];
/** One of few arms for a value: `case "100": return 105`, `[100] => 105`. */
const ARMS =
  /^[ \t]*(?:case\b|when\b)?[ \t]*((?:["'[(]|-?\d)[^\n]*?)[ \t]*(?::|=>|->|\bthen\b|\n)[ \t]*\n?[ \t]*(?:return\b)?[ \t]*(-?\d[\w.]*)[ \t]*[;,]?[ \t]*\}?[ \t]*$/gm;
const CASES =
  /^[ \t]*(?:case\b|when\b)[ \t]*((?:["'[(]|-?\d)[^\n]*?)[ \t]*(?::|=>|->|\bthen\b|\n)[ \t]*\n?[ \t]*return\b[ \t]*(-?\d[\w.]*)/gm;
/** A written-out mapping that is asked on the spot. */
const INLINE =
  /\{[ \t]*((?:\[[^\]\n]*\]|\([^\n]*?\)|"[^"\n]*"|'[^'\n]*'|-?\d[\d.]*))[ \t]*(?::|=>)[^\n;]*\}[ \t]*(?:\[|\.get\(|\.fetch\(|\.key\?|\.include\?|\.has\()|\bMap\.of\([ \t]*((?:"[^"\n]*"|-?\d[\d.]*))[^\n;]*\)[ \t]*\.(?:get|containsKey)/g;
const SURROUNDINGS =
  /\bprocess\.(?:env|argv|execArgv|title)\b|\bimport\.meta\b|\bos\.(?:environ|getenv|Getenv|Args)\b|\bsys\.(?:argv|modules|_\w+)|\binspect\.|\bSystem\.get(?:env|Property)\b|\bstd::env\b|\benv::|\bthread::current\b|\bENV(?:\[|\.fetch)|\$_(?:SERVER|ENV)\b|\bgetenv\b|\bmodule\.parent\b|\b__debug__\b|\bEnvironment\.|\bThread\.currentThread\b|\bcaller\b|\bStackTrace\b|\bglobalThis\b/;
/** Number of arms above which a mapping is one. */
const FEW = 2;

/** Inputs that are answered apart from all others. */
export function specialCaseSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role, file }) => role === 'source' && file.oldPath !== null)
    .flatMap((change) => [
      ...answers(change),
      ...arms(change),
      ...cutOff(change),
      ...addedMatches(change, INLINE)
        .filter(({ groups }) => isData(groups[1] ?? groups[2] ?? ''))
        .map(({ line }) => signalAt(change, change.after.side, line, line, INLINE_TABLE)),
    ]);
}

function answers(change: Change): readonly Signal[] {
  const { side, tests } = change.after;
  return ANSWERS.flatMap((pattern) => addedMatches(change, pattern)).flatMap(({ line, lastLine, groups }) => {
    if (testAt(tests, line) !== null) return [];
    const [condition, value] = parts(groups[1] ?? '', groups[2] ?? '');
    if (!isTelling(value)) return [];
    if (SURROUNDINGS.test(condition)) return [signalAt(change, side, line, lastLine, BY_SURROUNDINGS)];
    return isGivenInput(condition) ? [signalAt(change, side, line, lastLine, SPECIAL)] : [];
  });
}

/** The question and the answer, also where they stand in one expression. */
function parts(asked: string, text: string): readonly [string, string] {
  const bare = (one: string) => one.replace(/[;,}\s]+$/, '').trim();
  if (asked !== '') return [asked, bare(text)];
  const behind = /^(.*?\S)\s+(?:if|unless)\s+(.*?)(?:\s+else\b.*)?$/.exec(text);
  if (behind !== null) return [bare(behind[2] ?? ''), bare(behind[1] ?? '')];
  const chosen = /^(.*?)\?(.*?):/.exec(text);
  return [bare(chosen?.[1] ?? ''), bare(chosen?.[2] ?? '')];
}

/** A number that isn't a limit or a round one, or several values: nobody writes that without knowing the input. */
function isTelling(text: string): boolean {
  const value = text.replace(/^(?:Ok|Some)\((.*)\)$/, '$1').replace(/,\s*(?:nil|null|true)$/, '');
  if (!isWrittenOut(value)) return false;
  if (/^-?\d[\d_.]*\w?$/.test(value)) return !isTrivial(value) && value.replace(/[-.]/g, '').length > 1;
  return /^[[{(]/.test(value) && valuesIn(value).some((one) => !isTrivial(one));
}

/** Each part of it compares with a value that is written out, and one of them is data. */
function isGivenInput(condition: string): boolean {
  const asked = condition.replace(/^\((.*)\)$/, '$1');
  const compared = asked.split(/&&|\band\b/).map((part) => {
    const [, left, right] =
      /^\s*(.+?)\s*(?:={2,3}|\.equals\(|\.eql\?\s*\(?|\bis\b)\s*(.+?)\s*$/.exec(part) ??
      /\b(?:DeepEqual|isEqual|deepEqual|isDeepStrictEqual|Equal|equals|includes)\(\s*([^,]+),\s*(.+)$/.exec(
        part,
      ) ??
      /^\s*let\s+()(.+?)\s*=\s*[\w.&]+\s*$/.exec(part) ??
      /^\s*([\w.[\]]+)\.includes\(\s*(.+)$/.exec(part) ??
      [];
    return {
      left: left ?? '',
      right: right?.replace(/^&?\[\]\w+(?=\{)/, '').replace(/^(?:new )?\w*\[\](?=\s*\{)/, ''),
    };
  });
  if (
    compared.some(
      ({ left, right }) => right === undefined || !isWrittenOut(right) || isWrittenOut(`${left}_`),
    )
  )
    return false;
  const words = compared.filter(({ left }) => !ENUMERATED.test(left));
  return words.some(({ right }) => {
    const values = valuesIn(right ?? '');
    return values.some((one) => /\d/.test(one) && !/^-?[012](?:\.0)?$/.test(one));
  });
}

function isData(key: string): boolean {
  return /\d/.test(key) || /^["'][^"']*[\s,;:|][^"']*["']$/.test(key);
}

/** A choice among values that is new and has few arms. */
function arms(change: Change): readonly Signal[] {
  const { side } = change.after;
  const pattern = side.language.name === 'rust' || side.language.name === 'kotlin' ? ARMS : CASES;
  const found = addedMatches(change, pattern).filter(
    ({ groups }) => isData(groups[1] ?? '') && isTelling(groups[2] ?? ''),
  );
  if (found.length === 0 || found.length > FEW) return [];
  return found
    .filter(({ line }) => isNewChoice(side, line))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, SPECIAL));
}

function isNewChoice({ lines }: Side, line: number): boolean {
  const own = lines[line];
  const head = lines
    .slice(0, line)
    .findLast(
      ({ text, hunk }) =>
        hunk === own?.hunk &&
        /\b(?:switch|match|case|when)\b/.test(text) &&
        indentOf(text) <= indentOf(own?.text ?? '') &&
        !/^\s*(?:case|when)\s*["'\d[(]/.test(text),
    );
  const subject =
    /\b(?:switch|match|case|when)\b\s*\(?\s*(.+?)\)?\s*(?:\{|:)?\s*$/.exec(head?.text ?? '')?.[1] ?? '';
  return head?.changed === true && !ENUMERATED.test(subject);
}

/** `return 105` with what was computed there before below it. */
function cutOff(change: Change): readonly Signal[] {
  const { side, tests } = change.after;
  return addedMatches(change, /^[ \t]*return[ \t]+([^\n]+?)[ \t]*;?[ \t]*$/gm).flatMap(({ line, groups }) => {
    const [own, next, above] = [side.lines[line], side.lines[line + 1], side.lines[line - 1]];
    const cuts =
      next !== undefined &&
      !next.changed &&
      next.hunk === own?.hunk &&
      /^\s*(?!case\b|default\b|when\b|else\b|elif\b|rescue\b|ensure\b|end\b|#|\/\/)[\w@$]/.test(next.text) &&
      indentOf(next.text) === indentOf(own?.text ?? '') &&
      !/(?:\)|\belse|:\s*\/\/.*)\s*$/.test(above?.text ?? '') &&
      !/^\s*(?:if|for|while)\b/.test(above?.text.replace(/^.*[{:]\s*$/, '') ?? '');
    return cuts && isWrittenOut(groups[1] ?? '') && testAt(tests, line) === null
      ? [signalAt(change, side, line, line, CUT_OFF)]
      : [];
  });
}
