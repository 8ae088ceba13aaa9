import {
  beginsValue,
  type Code,
  endOf,
  endsValue,
  isFirst,
  isSpaced,
  isText,
  type Token,
} from 'ralph-ecosystems';
import type { MutantKind } from '../../../domain/command-run.ts';
import { mayBeType } from './left-out.ts';

export type Edit = {
  readonly kind: MutantKind;
  readonly start: number;
  readonly end: number;
  readonly to: string;
};

export function editOf(code: Code, at: number): Edit | null {
  const token = code.tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'number') return changedNumber(code, at, token);
  if (token.kind === 'string') return emptied(code, at, token);
  return token.kind === 'word' ? changedWord(code, at, token) : changedOperator(code, at, token);
}

function replaced(kind: MutantKind, token: Token, to: string): Edit {
  return { kind, start: token.start, end: endOf(token), to };
}

const COMPARES: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '&&': '||',
  '||': '&&',
};
const ADDS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

function changedOperator(code: Code, at: number, token: Token): Edit | null {
  const { tokens, language } = code;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  const compared = COMPARES[token.text];
  if (compared !== undefined) {
    const isRedirection = language === 'shell' && /[<>]/.test(token.text);
    // A line may begin with the end of type arguments.
    if (code.isTyped && token.text === '>' && isFirst(code, at)) return null;
    if (isRedirection || (language === 'ruby' && token.text === '===')) return null;
    const isBinary =
      isSpaced(code, token) && (language === 'shell' || (endsValue(before) && beginsValue(next)));
    return isBinary ? replaced('negate', token, compared) : null;
  }
  const added = ADDS[token.text];
  if (added === undefined || language === 'shell' || !endsValue(before)) return null;
  // Pointers of C aren't factors, and texts can only be added.
  if ((language === 'cpp' && token.text === '*') || before?.kind === 'string') return null;
  const isAssigning = next !== undefined && isText(next, '=') && next.start === endOf(token);
  const value = isAssigning ? tokens[at + 2] : next;
  if (!beginsValue(value) || value?.kind === 'string') return null;
  if (!isAssigning && !isSpaced(code, token)) return null;
  // Bounds of a type aren't a sum.
  if (language === 'rust' && /^[A-Z]\w*[a-z]/.test(value?.text ?? '')) return null;
  return replaced('swap', token, added);
}

const WORDS: Readonly<Record<string, string>> = { true: 'false', false: 'true' };
const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'False', False: 'True', and: 'or', or: 'and' };

function changedWord(code: Code, at: number, token: Token): Edit | null {
  const { tokens, language } = code;
  const words = language === 'python' ? PYTHON_WORDS : WORDS;
  const to = Object.hasOwn(words, token.text) ? words[token.text] : undefined;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (to === undefined || isText(before, '.') || isText(next, '(')) return null;
  const isKey = isText(next, ':') && language !== 'python' && !isText(before, '?');
  return isKey || mayBeType(code, at) ? null : replaced('negate', token, to);
}

const DECIMAL = /^(0|[1-9][\d_]*)((?:\.\d+)?(?:[uUlLfFdDmn]|[iuf]\d+|usize|isize|UL|ul|LL)?)$/;
/** Digits of a number that can be incremented exactly. */
const MOST_DIGITS = 15;

function changedNumber(code: Code, at: number, token: Token): Edit | null {
  const { tokens, language } = code;
  const [, digits = '', rest = ''] = DECIMAL.exec(token.text) ?? [];
  const before = tokens[at - 1];
  const isPart = isText(before, '.') && !isText(tokens[at - 2], '.');
  if (digits === '' || digits.length > MOST_DIGITS || isPart || language === 'shell') return null;
  if (mayBeType(code, at) || isLength(code, at)) return null;
  return replaced('constant', token, `${Number(digits.replaceAll('_', '')) + 1}${rest}`);
}

/** Returns whether a number is the length of an array type: `[4]int`, `[u8; 4]`. */
function isLength({ tokens, language }: Code, at: number): boolean {
  const [before, next, after] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  if (!isText(next, ']')) return false;
  if (language === 'rust') return isText(before, ';');
  return (
    language === 'go' &&
    isText(before, '[') &&
    (after?.kind === 'word' || isText(after, '[') || isText(after, '*'))
  );
}

/** Languages in which `'…'` is one character, which can't be empty. */
const CHARACTERS = new Set<Code['language']>([
  'go',
  'java',
  'kotlin',
  'csharp',
  'scala',
  'cpp',
  'rust',
  'swift',
]);
/** Calls that print messages, which tests seldom read. */
const REPORTS =
  /^(?:throw|raise|panic|assert\w*|console|log\w*|fmt|e?print\w*|echo|warn\w*|error\w*|debug|info|trace|\w*(?:Error|Exception|Errorf))$/;

export function isMessage({ tokens, lines }: Code, at: number): boolean {
  const line = lines[at];
  let first = at;
  while (lines[first - 1] === line) first -= 1;
  for (let one = first; lines[one] === line; one += 1) {
    const token = tokens[one];
    if (token?.kind === 'word' && REPORTS.test(token.text)) return true;
  }
  return false;
}

function emptied(code: Code, at: number, token: Token): Edit | null {
  const { tokens, language } = code;
  const [, prefix = '', open = '', inside = ''] =
    /^([a-zA-Z$@]*#*)("""|'''|["'`])([\s\S]*)\2#*$/.exec(token.text) ?? [];
  if (inside === '' || inside.includes('\n')) return null;
  if (open === "'" && CHARACTERS.has(language)) return null;
  // A format needs its placeholders.
  if (/[%{]/.test(inside) && /^(?:go|rust|cpp)$/.test(language)) return null;
  const [before, next, caller] = [tokens[at - 1], tokens[at + 1], tokens[at - 2]];
  const isAlone =
    !isText(before, '=') && code.lines[at - 1] !== code.lines[at] && code.lines[at + 1] !== code.lines[at];
  const isDirective = isAlone || (isText(next, ';') && code.lines[at - 1] !== code.lines[at]);
  const isLoad = isText(before, '(') && /^(?:require|import|include\w*)$/.test(caller?.text ?? '');
  const isTag = language === 'go' && open === '`';
  if (isDirective || isLoad || isTag || mayBeType(code, at) || isMessage(code, at)) return null;
  const fence = /#+$/.exec(prefix)?.[0] ?? '';
  return replaced('constant', token, `${prefix}${open}${open}${fence}`);
}
