import { languageOf } from './code/language-of.ts';
import { type Token, tokenize } from './code/tokenize.ts';

export type Names = {
  readonly exported: ReadonlySet<string>;
  /** Names defined at any depth. */
  readonly declared: ReadonlySet<string>;
  /** Methods and keys of exported objects, each also as `Store.open`. */
  readonly members: ReadonlySet<string>;
  /** Names defined or imported at the top level that are certainly not exported. */
  readonly hidden: ReadonlySet<string>;
  /** Specifiers of modules that are re-exported as a whole, as written. */
  readonly stars: readonly string[];
  /** Why the names may be incomplete; `null`: they are complete. */
  readonly unsure: string | null;
};

/** `depth` is the number of enclosing brackets. */
export type Placed = Token & { readonly depth: number };

/** Nesting depth at which reading stops: each level is read once for every level around it. */
export const DEEP = 40;

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns tokens without comments; both brackets of a pair have the depth outside them. */
export function placed(
  path: string,
  text: string,
): { readonly tokens: readonly Placed[]; readonly balanced: boolean } {
  const open: string[] = [];
  let balanced = true;
  const tokens: Placed[] = [];
  for (const token of tokenize(text, languageOf(path))) {
    if (token.kind === 'comment') continue;
    const pair = token.kind === 'punct' ? PAIRS[token.text] : undefined;
    if (pair !== undefined && open.pop() !== pair) balanced = false;
    tokens.push({ ...token, depth: open.length });
    if (token.kind === 'punct' && '([{'.includes(token.text)) open.push(token.text);
  }
  return { tokens, balanced: balanced && open.length === 0 };
}

/** Returns a token's text without quotation marks. */
export function bare(token: Token | undefined): string {
  return token?.kind === 'string' ? token.text.replace(/^\w*(['"`]{1,3})([\s\S]*)\1$/, '$2') : '';
}

/** Returns the index of the bracket that closes the one at `from`; the number of tokens if unclosed. */
export function closing(tokens: readonly Placed[], from: number): number {
  const depth = tokens[from]?.depth ?? 0;
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && token.depth === depth && token.text in PAIRS) return at;
  }
  return tokens.length;
}

/** Returns words outside comments and strings, and one-word strings, which may be names. */
export function wordsIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((token) => {
      if (token.kind === 'word') return [token.text.replace(/^#/, '')];
      const text = bare(token);
      // A template may contain code.
      if (token.text.startsWith('`') && text.includes('${'))
        return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
      return /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(text) ? text.split('.') : [];
    }),
  );
}
