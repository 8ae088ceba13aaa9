import type { StringForm } from '../protocol.ts';
import type { CodeLanguage } from './language-of.ts';

type TokenKind = 'word' | 'number' | 'string' | 'regex' | 'comment' | 'punct';

export type Token = { readonly kind: TokenKind; readonly text: string; readonly start: number };

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d[\d_]*(?:\.\d+)?[eE][+-]\d+|\d\w*(?:\.\d\w*)?)/y;
const PUNCT = /===|!==|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|->|::|\*\*|\.\.\.|<<~?|[^\s]/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const CHARACTER = /'(?:\\(?:u\{[^}]*\}|.)|[^'\\\n])'/y;
const SPACE = /\s+/y;
/** Stops at `=begin`, which begins a comment only at the start of a line. */
const RUBY_SPACE = /(?:(?!\n=begin)\s)+/y;
/** The pattern covers most words and numbers; a letter outside ASCII needs the slower path. */
const PLAIN_WORD = /[A-Za-z_$][\w$]*(?![\w$\u0080-\uffff])/y;
const PLAIN_NUMBER = /\d+(?![\w.\u0080-\uffff])/y;
/** Languages whose strings may begin with a letter. */
const PREFIXED: ReadonlySet<CodeLanguage['name']> = new Set(['python', 'csharp', 'dart', 'rust', 'cpp']);
/** A value follows these words, so `/` begins a regular expression. */
const BEFORE_VALUE = /^(?:return|typeof|case|in|of|do|else|when|if|unless|and|or|not|match)$/;

/**
 * Splits a text into tokens. Never throws: an unclosed token ends with its line, or with the text if it may span lines.
 */
export function tokenize(text: string, language: CodeLanguage): readonly Token[] {
  return read(text, language, 0, 0).tokens;
}

/** Templates in templates that are read; what is deeper is one string to the end of the text. */
const DEEPEST = 40;

/**
 * Reads tokens from an index on. @param depth Number of templates around; within one, reading ends before the `}` that
 * closes its `${`.
 */
function read(
  text: string,
  language: CodeLanguage,
  from: number,
  depth: number,
): { readonly tokens: readonly Token[]; readonly end: number } {
  const tokens: Token[] = [];
  let at = from;
  let braces = 0;
  const push = (kind: TokenKind, end: number) => {
    tokens.push({ kind, text: text.slice(at, end), start: at });
    at = end;
  };
  const matching = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text) === null ? -1 : pattern.lastIndex;
  };
  const isPlain = !PREFIXED.has(language.name);
  while (at < text.length) {
    const space = language.name === 'ruby' ? matching(RUBY_SPACE) : matching(SPACE);
    if (space > at) {
      at = space;
      continue;
    }
    // No comment or string begins with a letter or digit, except after a prefix.
    const plain = isPlain ? Math.max(matching(PLAIN_WORD), matching(PLAIN_NUMBER)) : -1;
    if (plain > at) {
      push(/\d/.test(text[at] ?? '') ? 'number' : 'word', plain);
      continue;
    }
    const comment = commentEnd(text, at, language);
    if (comment > at) {
      push('comment', comment);
      continue;
    }
    const quote = prefixEnd(text, at, language);
    const form = language.strings.find(({ open }) => text.startsWith(open, quote));
    if (form !== undefined) {
      push('string', stringEnd(text, quote, form, language, depth));
      continue;
    }
    const character = language.characters === true ? matching(CHARACTER) : -1;
    const regex = language.regexes === true && valueMayStand(tokens) ? matching(REGEX) : -1;
    const [word, number] = [matching(WORD), matching(NUMBER)];
    if (character > 0) push('string', character);
    else if (regex > 0) push('regex', regex);
    else if (word > 0) push('word', word);
    else if (number > 0) push('number', number);
    else {
      if (text[at] === '{') braces += 1;
      if (text[at] === '}') braces -= 1;
      if (depth > 0 && braces < 0) break;
      push('punct', Math.max(matching(PUNCT), at + 1));
    }
  }
  return { tokens, end: at };
}

/** Returns the index after the letters before a quotation mark, as in `rb"…"`, in languages that have such prefixes. */
function prefixEnd(text: string, at: number, { name }: CodeLanguage): number {
  if (name !== 'python' && name !== 'csharp' && name !== 'dart') return at;
  const letters = /(?:[rbfuRBFU]{1,2}|\$+)(?=["'])/y;
  letters.lastIndex = at;
  if (/[\w]/.test(text[at - 1] ?? '')) return at;
  return letters.test(text) ? letters.lastIndex : at;
}

function commentEnd(text: string, at: number, { name, lineComments, blockComments }: CodeLanguage): number {
  for (const [open, close] of blockComments) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  const line = lineComments.find((mark) => text.startsWith(mark, at));
  if (line === undefined) return -1;
  // `#[` is an attribute in PHP; `$#` and `a#b` aren't comments in a shell.
  if (name === 'php' && text.startsWith('#[', at)) return -1;
  if ((name === 'shell' || name === 'data') && at > 0 && !/\s/.test(text[at - 1] ?? '')) return -1;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function stringEnd(
  text: string,
  start: number,
  form: StringForm,
  language: CodeLanguage,
  depth: number,
): number {
  const { open, close, escapes, lines } = form;
  for (let at = start + open.length; at < text.length; at += 1) {
    if (escapes && text[at] === '\\') at += 1;
    else if (text.startsWith(close, at)) return at + close.length;
    else if (!lines && text[at] === '\n') return at;
    else if (language.name === 'js' && open === '`' && text.startsWith('${', at))
      at = depth < DEEPEST ? read(text, language, at + 2, depth + 1).end : text.length;
  }
  return text.length;
}

function valueMayStand(tokens: readonly Token[]): boolean {
  const last = tokens.findLast(({ kind }) => kind !== 'comment');
  if (last === undefined) return true;
  if (last.kind === 'word') return BEFORE_VALUE.test(last.text);
  return last.kind === 'punct' && ![')', ']', '}'].includes(last.text);
}
