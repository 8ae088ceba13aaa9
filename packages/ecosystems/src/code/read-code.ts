import { type CodeLanguage, languageOf } from './language-of.ts';
import { type Token, tokenize } from './tokenize.ts';

/** Tokens without comments; other fields refer to tokens by index. */
export type Code = {
  readonly text: string;
  readonly language: CodeLanguage['name'];
  /** In TypeScript, types can stand between values. */
  readonly isTyped: boolean;
  readonly tokens: readonly Token[];
  /** 1-based line on which each token begins. */
  readonly lines: readonly number[];
  /** Index of the bracket that encloses each token; -1: none. */
  readonly enclosing: readonly number[];
  readonly partner: ReadonlyMap<number, number>;
};

const OPENING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Returns code with its brackets matched; unmatched brackets have no partner. */
export function readCode(path: string, text: string): Code {
  const language = languageOf(path);
  const tokens = tokenize(text, language).filter(({ kind }) => kind !== 'comment');
  const lines: number[] = [];
  const enclosing: number[] = [];
  const partner = new Map<number, number>();
  const open: number[] = [];
  let [line, at] = [1, 0];
  for (const [index, token] of tokens.entries()) {
    for (; at < token.start; at += 1) if (text[at] === '\n') line += 1;
    lines.push(line);
    const opening = open.at(-1);
    if (opening !== undefined && isText(token, OPENING[tokens[opening]?.text ?? ''] ?? '')) {
      open.pop();
      partner.set(opening, index);
      partner.set(index, opening);
    }
    enclosing.push(open.at(-1) ?? -1);
    if (token.kind === 'punct' && Object.hasOwn(OPENING, token.text)) open.push(index);
  }
  const isTyped = /\.[mc]?tsx?$/.test(path);
  return { text, language: language.name, isTyped, tokens, lines, enclosing, partner };
}

/** Whether the token is this punctuation or word, and not a string with that text. */
export function isText(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.text === text && token.kind !== 'string' && token.kind !== 'regex';
}

export function endOf({ start, text }: Token): number {
  return start + text.length;
}

export function isFirst({ lines }: Code, index: number): boolean {
  return index === 0 || lines[index - 1] !== lines[index];
}

/** Whether white space or an end of the text is on both sides, as formatters put it around binary operators. */
export function isSpaced({ text }: Code, token: Token): boolean {
  return isSpace(text[token.start - 1]) && isSpace(text[endOf(token)]);
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || /\s/.test(char);
}

const KEYWORDS = new Set(
  (
    'abstract alias and as assert async await begin break case catch class const continue def default defp delete do ' +
    'elif else elsif end enum except export extends extern finally fn for from fun func function global if impl implements import in ' +
    'instanceof interface is lambda let mod namespace new nonlocal not of or package pass private protected public pub ' +
    'raise require rescue return sizeof static struct super switch then throw throws trait try type typedef typeof ' +
    'unless until use using val var void when where while with yield'
  ).split(' '),
);

/** Whether the word is neither a value nor a function's name in one of the languages. */
export function isKeyword(token: Token): boolean {
  return token.kind === 'word' && KEYWORDS.has(token.text);
}

/** Whether a value may end with the token, so that a binary operator may follow. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'punct') return token.text === ')' || token.text === ']';
  return !isKeyword(token);
}

export function beginsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'punct') return /^[([!~$@&*{-]$/.test(token.text);
  return !isKeyword(token) || /^(?:await|new|not|typeof|sizeof|lambda)$/.test(token.text);
}

/** Returns the last token of the statement that begins at `from`, including its blocks. */
export function endOfStatement({ tokens, lines, partner }: Code, from: number): number {
  let at = from;
  for (;;) {
    const closing = partner.get(at);
    if (closing !== undefined && closing > at) at = closing;
    const [last, next] = [tokens[at], tokens[at + 1]];
    if (last === undefined || next === undefined || isText(last, ';')) return at;
    const continues = !endsStatement(last) || (next.kind === 'punct' && /^[|&?:.]$|^=>$/.test(next.text));
    if (lines[at + 1] !== lines[at] && !continues) return at;
    at += 1;
  }
}

function endsStatement(token: Token): boolean {
  return token.kind === 'punct' ? /^[)\]};>]$/.test(token.text) : !/^(?:extends|from|as)$/.test(token.text);
}
