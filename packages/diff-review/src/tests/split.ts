import type { Token } from 'ralph-ecosystems';

/** Returns the index of the bracket that closes the one at `open`, or of the last token without one. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (/^[([{]$/.test(tokens[at]?.text ?? '')) depth += 1;
    else if (/^[)\]}]$/.test(tokens[at]?.text ?? '') && --depth === 0) return at;
  }
  return tokens.length - 1;
}

export function argumentsOf(tokens: readonly Token[], open: number): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  const end = closing(tokens, open);
  for (let at = open + 1; at < end; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (/^[([{]$/.test(token.text)) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

export function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (token.text === ',' && depthAt(tokens, 0, at) === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

export function depthAt(tokens: readonly Token[], from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    if (/^[([{]$/.test(tokens[at]?.text ?? '')) depth += 1;
    else if (/^[)\]}]$/.test(tokens[at]?.text ?? '')) depth -= 1;
  }
  return depth;
}

type Comparison = {
  readonly operator: string | null;
  readonly left: readonly Token[];
  readonly right: readonly Token[];
};

const OPERATOR = /^(?:===?|!==?|<|>|<=|>=|is|in|=|=~|~=|instanceof|-\w\w)$/;

export function comparisonIn(tokens: readonly Token[]): Comparison {
  let depth = 0;
  const inner = unwrapped(tokens);
  for (let at = 0; at < inner.length; at += 1) {
    const text = inner[at]?.text ?? '';
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    else if (depth === 0 && text === '-' && /^(?:eq|ne|gt|lt|ge|le)$/.test(inner[at + 1]?.text ?? '')) {
      return { operator: `-${inner[at + 1]?.text}`, left: inner.slice(0, at), right: inner.slice(at + 2) };
    } else if (depth === 0 && at > 0 && OPERATOR.test(text)) return split(inner, at);
    else if (depth === 0 && text === 'not' && inner[at + 1]?.text === 'in') {
      return { operator: 'not in', left: inner.slice(0, at), right: inner.slice(at + 2) };
    }
  }
  return { operator: null, left: inner, right: [] };
}

function split(tokens: readonly Token[], at: number): Comparison {
  const text = tokens[at]?.text ?? '';
  if (text === 'is' && tokens[at + 1]?.text === 'not') {
    return { operator: 'is not', left: tokens.slice(0, at), right: tokens.slice(at + 2) };
  }
  return { operator: text, left: tokens.slice(0, at), right: tokens.slice(at + 1) };
}

function unwrapped(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.text !== '(' || closing(tokens, 0) !== tokens.length - 1) return tokens;
  const inside = tokens.slice(1, -1);
  return argumentsOf(tokens, 0).length === 1 ? inside : tokens;
}

/** Returns a literal without quotes, so that `'a'` equals `"a"`. */
export function literal(text: string): string {
  return text.replace(/^(?:[rbfu$@]{0,2})(["'`]{1,3})([\s\S]*)\1$/i, '$2');
}

export function unanchored(text: string): string {
  return text.replace(/^\^|\$$/g, '').replace(/\\(?=\W)/g, '');
}

/** Returns tokens as one line, with the same quotes and without trailing commas. */
export function joined(tokens: readonly Token[]): string {
  return tokens
    .map(({ kind, text }) => (kind === 'string' ? `"${literal(text)}"` : text))
    .join(' ')
    .replace(/ , ([)\]}])/g, ' $1');
}
