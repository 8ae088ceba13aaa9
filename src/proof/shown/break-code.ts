import { type Code, endOf, isFirst, isKeyword, isText, type LanguageName, readCode } from 'ralph-ecosystems';
import { canMutate } from './mutants/mutants-of.ts';
import { isBody } from './mutants/statements.ts';

export const BROKEN = 'ralph broke this function on purpose';

const FAILS: Readonly<Partial<Record<LanguageName, string>>> = {
  js: `throw new Error('${BROKEN}');`,
  python: `raise RuntimeError('${BROKEN}')`,
  go: `panic("${BROKEN}");`,
  rust: `if true { panic!("${BROKEN}"); }`,
  java: `if (true) throw new RuntimeException("${BROKEN}");`,
};

/** Returns code whose functions fail when called. Names stay, so it loads. `null` without functions, or for another language. */
export function breakCode(path: string, text: string): string | null {
  if (!canMutate(path)) return null;
  const code = readCode(path, text);
  const fails = FAILS[code.language];
  if (fails === undefined) return null;
  let broken = '';
  let from = 0;
  for (const at of code.tokens.keys()) {
    const found = bodyAt(code, at, fails);
    if (found === null || found.place < from) continue;
    broken += text.slice(from, found.place) + found.put;
    from = found.place;
  }
  return from === 0 ? null : broken + text.slice(from);
}

/** Returns whether two versions differ only in functions. A value outside can be wrong without any function being so. */
export function differsInFunctions(path: string, before: string, now: string): boolean {
  const [was, is] = [valuesOutside(path, before), valuesOutside(path, now)];
  return was.join('\n') === is.join('\n');
}

function valuesOutside(path: string, text: string): string[] {
  const code = readCode(path, text);
  const fails = FAILS[code.language] ?? '';
  const values: string[] = [];
  let until = 0;
  for (const [at, token] of code.tokens.entries()) {
    const found = bodyAt(code, at, fails);
    if (found !== null) until = Math.max(until, endOfBody(code, at, found.place));
    if (token.start < until || (token.kind !== 'number' && token.kind !== 'string')) continue;
    const [bracket, word] = [code.tokens[at - 1], code.tokens[at - 2]];
    const isModule =
      /^(?:from|import)$/.test(bracket?.text ?? '') || /^(?:require|import)$/.test(word?.text ?? '');
    if (!isModule && !/^["']use \w+["']$/.test(token.text)) values.push(token.text);
  }
  return values.toSorted();
}

/** Returns the offset after a function's body: its closing bracket, or the lines indented further than its start. */
function endOfBody({ tokens, partner, text, language }: Code, at: number, place: number): number {
  if (language !== 'python') {
    const closing = tokens[partner.get(at) ?? -1];
    const line = text.indexOf('\n', place);
    return closing?.start ?? (line < 0 ? text.length : line);
  }
  const begins = text.lastIndexOf('\n', tokens[at]?.start ?? 0) + 1;
  const depth = /^[ \t]*/.exec(text.slice(begins))?.[0].length ?? 0;
  const next = new RegExp(`\\n[ \\t]{0,${depth}}(?=[^\\s)\\]}#])`, 'g');
  next.lastIndex = place;
  return next.exec(text)?.index ?? text.length;
}

type Found = { readonly place: number; readonly put: string };

/** Returns where a function's body begins at a token: in Python and arrow functions its first token, else its `{`. */
function bodyAt(code: Code, at: number, fails: string): Found | null {
  const { language, tokens } = code;
  const token = tokens[at];
  if (token === undefined) return null;
  if (language === 'python') return bodyOfPython(code, at, fails);
  if (language === 'js' && isText(tokens[at - 1], '=>') && !isText(token, '{')) {
    const isArrow = isText(tokens[at + 1], '=>') || isText(token, 'async');
    return isArrow ? null : { place: token.start, put: `(() => { ${fails} })() + ` };
  }
  return isText(token, '{') && isFunction(code, at) ? { place: endOf(token), put: ` ${fails} ` } : null;
}

function bodyOfPython(code: Code, at: number, fails: string): Found | null {
  const { tokens, lines, partner, text } = code;
  const isDef =
    isText(tokens[at], 'def') &&
    (isFirst(code, at) || (isText(tokens[at - 1], 'async') && isFirst(code, at - 1)));
  const closing = isDef ? partner.get(at + 2) : undefined;
  if (closing === undefined) return null;
  let colon = closing + 1;
  while (colon < tokens.length && !isText(tokens[colon], ':')) colon = (partner.get(colon) ?? colon) + 1;
  const first = tokens[colon + 1];
  if (first === undefined) return null;
  const indent = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
  const isSameLine = lines[colon] === lines[colon + 1];
  return { place: first.start, put: isSameLine ? `${fails}; ` : `${fails}\n${indent}` };
}

/** Tokens that may stand between a function's parameters and its body. */
const MOST_SIGNATURE = 60;
const BLOCKS = /^(?:if|for|while|switch|catch|synchronized|try|with)$/;
const MODIFIERS = /^(?:public|private|protected|static|final|abstract)$/;

function isFunction(code: Code, brace: number): boolean {
  const { tokens, partner, language } = code;
  if (language === 'js') return isBody(code, brace);
  const before = tokens[brace - 1];
  if (language === 'go' && /^(?:struct|interface)$/.test(before?.text ?? '')) return false;
  // Goes back to the keyword of the function, skipping brackets.
  for (let at = brace - 1; at >= 0 && brace - at < MOST_SIGNATURE; at -= 1) {
    const token = tokens[at];
    if (token === undefined || /^[;{}]$/.test(token.text)) return false;
    const opening = isText(token, ')') || isText(token, ']') ? partner.get(at) : undefined;
    if (language === 'java' && isText(token, ')')) return isMethod(code, opening ?? 0);
    if (opening !== undefined) at = opening;
    else if (isText(token, language === 'go' ? 'func' : 'fn')) return true;
    else if (
      token.kind === 'word' &&
      (BLOCKS.test(token.text) || /^(?:match|loop|else|select|impl|trait)$/.test(token.text))
    )
      return false;
  }
  return false;
}

/** Constructors are left out, as another constructor may have to be called first. */
function isMethod({ tokens }: Code, opening: number): boolean {
  const [name, type] = [tokens[opening - 1], tokens[opening - 2]];
  if (name?.kind !== 'word' || isKeyword(name) || BLOCKS.test(name.text) || type === undefined) return false;
  if (type.kind === 'word')
    return !MODIFIERS.test(type.text) && !/^(?:new|return|else|throw)$/.test(type.text);
  return isText(type, '>') || isText(type, ']');
}
