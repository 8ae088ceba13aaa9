import { type Code, endOf, isFirst, isKeyword, isText, type LanguageName } from 'ralph-ecosystems';
import { type Edit, isMessage } from './edits.ts';

const BRACKETED: ReadonlySet<LanguageName> = new Set([
  ...(['js', 'java', 'cpp', 'csharp', 'php', 'kotlin', 'dart'] as const),
]);
/** End of a condition without brackets, on its line. */
const ENDS: Readonly<Partial<Record<LanguageName, string>>> = {
  python: ':',
  go: '{',
  rust: '{',
  swift: '{',
  elixir: 'do',
};
/** Matches a condition that binds names, or from which the compiler infers types. */
const BINDS = /\b(?:let|var|case|instanceof|is|out|available)\b|:=|(?<![=!<>])=(?![=~])|;|,/;

/** Negates a condition: `if (x)` becomes `if (!(x))`. */
export function negatedCondition(code: Code, at: number): Edit | null {
  const { tokens, lines, language, partner, text } = code;
  const word = tokens[at];
  if (word?.kind !== 'word' || !/^(?:if|elif|while)$/.test(word.text)) return null;
  const isBracketed = BRACKETED.has(language);
  const last = isBracketed ? partner.get(at + 1) : conditionEnd(code, at + 1);
  const [from, to] = [
    tokens[isBracketed ? at + 2 : at + 1],
    last === undefined ? undefined : tokens[last - 1],
  ];
  if (last === undefined || from === undefined || to === undefined || lines[last] !== lines[at]) return null;
  if (isBracketed && !isText(tokens[at + 1], '(')) return null;
  const condition = text.slice(from.start, endOf(to));
  if (condition === '' || BINDS.test(condition) || /^(?:true|True)$/.test(condition)) return null;
  const negated = language === 'python' ? `not (${condition})` : `!(${condition})`;
  return { kind: 'negate', start: from.start, end: endOf(to), to: negated };
}

function conditionEnd({ tokens, lines, language, partner }: Code, from: number): number | undefined {
  const mark = ENDS[language];
  if (mark === undefined) return undefined;
  for (let at = from; at < tokens.length && lines[at] === lines[from]; at += 1) {
    if (isText(tokens[at], mark)) return at;
    at = Math.max(at, partner.get(at) ?? at);
  }
  return undefined;
}

const NOTHING: Readonly<Partial<Record<LanguageName, string>>> = {
  js: ';',
  java: ';',
  cpp: ';',
  csharp: ';',
  php: ';',
  dart: ';',
  go: ';',
  rust: ';',
  kotlin: ';',
  python: 'pass',
  ruby: 'nil',
  elixir: 'nil',
};
const ENDED: ReadonlySet<LanguageName> = new Set(['java', 'cpp', 'csharp', 'php', 'dart', 'rust']);

export function droppedCall(code: Code, at: number): Edit | null {
  const { tokens, lines, language } = code;
  const nothing = NOTHING[language];
  if (nothing === undefined || !isFirst(code, at) || !mayBegin(code, at)) return null;
  const call = callEnd(code, isText(tokens[at], 'await') ? at + 1 : at);
  if (call === null || isMessage(code, at)) return null;
  const isEnded = isText(tokens[call + 1], ';');
  const last = isEnded ? call + 1 : call;
  const [first, end, next] = [tokens[at], tokens[last], tokens[last + 1]];
  if (first === undefined || end === undefined || lines[last] !== lines[at] || lines[last + 1] === lines[at])
    return null;
  if (!isEnded && (ENDED.has(language) || (next?.kind === 'punct' && !/^[})@#]$/.test(next.text))))
    return null;
  return { kind: 'drop', start: first.start, end: endOf(end), to: nothing };
}

function mayBegin({ tokens, around, language }: Code, at: number): boolean {
  const [before, bracket] = [tokens[at - 1], tokens[around[at] ?? -1]];
  if (bracket !== undefined && !isText(bracket, '{')) return false;
  if (before === undefined) return true;
  if (before.kind === 'word')
    return !isKeyword(before) || /^(?:else|do|then|try|begin|end|pass|finally)$/.test(before.text);
  if (before.kind !== 'punct') return true;
  return /^[;{})\]]$/.test(before.text) || (language === 'python' && before.text === ':');
}

/** Returns the last token of a call such as `name.other(…)`, or `null`. */
function callEnd({ tokens, partner, language }: Code, from: number): number | null {
  const first = tokens[from];
  if (first?.kind !== 'word' || isKeyword(first)) return null;
  // The last constant of an enumeration is written as `NAME("x");`.
  if (/^(?:java|kotlin|csharp)$/.test(language) && /^[A-Z]/.test(first.text) && isText(tokens[from + 1], '('))
    return null;
  let at = from;
  for (;;) {
    const next = tokens[at + 1];
    if (next === undefined || next.kind !== 'punct') break;
    const closing = partner.get(at + 1);
    if (/^(?:\.|\?\.|::|->)$/.test(next.text) && tokens[at + 2]?.kind === 'word') at += 2;
    else if (/^[([]$/.test(next.text) && closing !== undefined) at = closing;
    else if (next.text === '!' && isText(tokens[at + 2], '(') && language === 'rust') at += 1;
    else if (next.text === '?' && language === 'rust' && isText(tokens[at], ')')) at += 1;
    else break;
  }
  return isText(tokens[at], ')') || (isText(tokens[at], '?') && at > from) ? at : null;
}

/** Tokens that the type of a result may have. */
const MOST_RESULT = 12;

export function earlyReturn(code: Code, at: number): Edit | null {
  const { tokens, language } = code;
  if (language === 'python') return returnOfPython(code, at);
  const [brace, next] = [tokens[at], tokens[at + 1]];
  if (brace === undefined || !isText(brace, '{') || isText(next, '}') || isText(next, 'return')) return null;
  if (!isBody(code, at)) return null;
  const to = language === 'java' ? ' if (true) return;' : ' return;';
  return { kind: 'return', start: endOf(brace), end: endOf(brace), to };
}

/** Returns whether a `{` begins the body of a function that may return nothing. */
export function isBody(code: Code, brace: number): boolean {
  const { tokens, partner, language } = code;
  if (language === 'js' && isText(tokens[brace - 1], '=>')) return true;
  const closing = language === 'js' ? parametersEnd(code, brace) : brace - 1;
  const opening = isText(tokens[closing], ')') ? partner.get(closing) : undefined;
  const name = opening === undefined ? undefined : tokens[opening - 1];
  const before = opening === undefined ? undefined : tokens[opening - 2];
  if (opening === undefined || name?.kind !== 'word') return false;
  if (language === 'js')
    return (
      isText(name, 'function') || (!isKeyword(name) && name.text !== 'constructor' && !isText(before, 'new'))
    );
  if (isKeyword(name)) return language === 'go' && isText(name, 'func');
  if (language === 'go') {
    const receiver = isText(before, ')') ? partner.get(opening - 2) : undefined;
    return isText(before, 'func') || (receiver !== undefined && isText(tokens[receiver - 1], 'func'));
  }
  const head: Readonly<Partial<Record<LanguageName, RegExp>>> = {
    rust: /^fn$/,
    kotlin: /^fun$/,
    php: /^function$/,
    java: /^void$/,
    csharp: /^void$/,
    cpp: /^void$/,
    dart: /^void$/,
  };
  return before !== undefined && head[language]?.test(before.text) === true;
}

/** Returns the index of the parameters' `)` in front of a body, skipping the result's type. */
function parametersEnd({ tokens }: Code, brace: number): number {
  let at = brace - 1;
  // The `{` begins a type.
  if (/^[<|,:]$/.test(tokens[at]?.text ?? '')) return -1;
  while (brace - at < MOST_RESULT && !isText(tokens[at], ')')) {
    const token = tokens[at];
    if (isText(token, ':') && isText(tokens[at - 1], ')')) return at - 1;
    if (token === undefined || (token.kind === 'punct' ? !/^[<>[\]|.,]$/.test(token.text) : isKeyword(token)))
      break;
    at -= 1;
  }
  return isText(tokens[at], ')') && at === brace - 1 ? at : -1;
}

/** Inserts a return before the first statement, on its own line. */
function returnOfPython(code: Code, at: number): Edit | null {
  const { tokens, lines, text } = code;
  const before = tokens[at - 1];
  const first = tokens[at];
  if (first === undefined || !isFirst(code, at)) return null;
  // A text that is the only statement is the body itself.
  const isDescribed = before?.kind === 'string' && isFirst(code, at - 1);
  const colon = isDescribed ? at - 2 : at - 1;
  if (!isText(tokens[colon], ':') || first.kind === 'string') return null;
  let head = colon;
  while (head > 0 && !isFirst(code, head)) head -= 1;
  if (isText(tokens[head], 'async')) head += 1;
  if (!isText(tokens[head], 'def') || lines[head] === lines[at] || /^(?:return|pass|yield)$/.test(first.text))
    return null;
  const indent = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
  return { kind: 'return', start: first.start, end: first.start, to: `return\n${indent}` };
}
