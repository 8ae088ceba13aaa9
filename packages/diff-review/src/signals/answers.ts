import type { Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';
import type { Assertion } from '../tests/assertions.ts';
import { isTrivial, isWrittenOut, valuesIn } from './literals.ts';
import { type Sign, signalAt } from './sign.ts';

const ANSWER: Sign = {
  category: 'hardcoded_test_bypass',
  kind: 'answer_of_a_test',
  confidence: 0.9,
  reason: 'What a test asserts is returned written out, whatever the parameters are',
};
/** A constant answer of a function without used parameters is common in honest code. */
const PERHAPS: Sign = { ...ANSWER, confidence: 0.6 };

const VALUE = String.raw`(-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|\[[^\]\n]*\]|\{[^{}\n]*\}|true|false|True|False|None|null|nil)`;
const WORD = /^(?:true|false|null|nil|none)$/i;
/** Matches a whole body, after a docstring at most. */
const BODY = String.raw`[{:]?\s*(?:"""[\s\S]{0,400}?"""\s*|do\s+)?(?:return\s+${VALUE}|${VALUE}(?=\s*(?:\}|\bend\b)))`;
/** Matches functions that only return a literal: name, parameters, value. */
const FUNCTIONS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:function\*?|def|func|fn|fun)\s+(?:\([^()\n]*\)\s*)?(?:self\.)?(\w+[?!]?)\s*(?:<[^>\n]*>\s*)?\(([^()]*)\)[^\n{:;]*(?::[^\n{;=]*)?${BODY}`,
    'g',
  ),
  new RegExp(
    String.raw`\b(?:const|let|var|val)\s+(\w+)\s*(?::[^=\n]+)?=\s*(?:async\s+)?(?:function\s*)?\(?([^()=]*)\)?[^\n={]*(?:=>)?\s*(?:${BODY}|${VALUE}\s*(?:;|$))`,
    'gm',
  ),
  new RegExp(
    String.raw`^[ \t]+(?:(?!return\b|else\b|new\b|await\b)[\w<>[\],.]+\s+)*(?!if\b|for\b|while\b|switch\b|catch\b|function\b)(\w+)\s*\(([^()]*)\)[^\n;{=]*\{\s*return\s+${VALUE}`,
    'gm',
  ),
];

export function answerSignals({ all, onDisk }: Changes): readonly Signal[] {
  const checks = [
    ...onDisk,
    ...all.filter(({ role }) => role === 'test').flatMap(({ after }) => after.assertions),
  ];
  if (checks.length === 0) return [];
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => {
      const { side } = change.after;
      return FUNCTIONS.flatMap((pattern) => findCode(side, pattern))
        .filter((match) => match.changed && isAnswer(side, match, checks))
        .map(({ line, lastLine, groups }) => {
          const trivial = valuesOf(groups).every((one) => isTrivial(one) || WORD.test(one));
          return signalAt(change, side, line, lastLine, trivial ? PERHAPS : ANSWER);
        });
    });
}

function isAnswer(side: Side, { groups, lastLine }: Match, checks: readonly Assertion[]): boolean {
  const [, name = '', parameters = ''] = groups;
  const value = groups.slice(3).find((one) => one !== undefined) ?? '';
  if (side.lines[lastLine]?.changed !== true || !isWrittenOut(value)) return false;
  // `_context` marks an unused parameter; functions without parameters aren't judged here.
  const needed = parameters.split(',').map((one) => one.trim().replace(/^[&*.]*(?:mut )?/, ''));
  if (!needed.some((one) => /^[A-Za-z$]/.test(one) && !/^(?:self|cls|this)\b/.test(one))) return false;
  const calls = new RegExp(`\\b${name.replace(/[?!]/g, '')} [?!]? ?\\(\\s*[^\\s)]`);
  const values = valuesOf(groups);
  return checks.some(
    ({ negated, text, literals }) =>
      !negated &&
      calls.test(text) &&
      values.length > 0 &&
      values.every((one) => literals.includes(one) || (WORD.test(one) && text.split(' ').includes(one))),
  );
}

function valuesOf(groups: Match['groups']): readonly string[] {
  const value = groups.slice(3).find((one) => one !== undefined) ?? '';
  const values = valuesIn(value);
  return values.length > 0 ? values : WORD.test(value) ? [value] : [];
}
