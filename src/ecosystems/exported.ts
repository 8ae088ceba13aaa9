import { languageOf } from './code/language-of.ts';
import { type Token, tokenize } from './code/tokenize.ts';

/** The names that a file of code gives to others, as far as reading shows them. */
export type Names = {
  /** What others can use by its name. */
  readonly exported: ReadonlySet<string>;
  /** What is defined in it, at any depth. */
  readonly declared: ReadonlySet<string>;
  /** Members of what is exported: methods, keys of objects; also as `Store.open`. */
  readonly members: ReadonlySet<string>;
  /** Defined or imported at the top, and surely not exported. */
  readonly hidden: ReadonlySet<string>;
  /** Modules whose exports are exports of this one, as they are written. */
  readonly stars: readonly string[];
  /** Why names may be missing here; `null`: all are. */
  readonly unsure: string | null;
};

/** A token with the brackets around it. */
export type Placed = Token & { readonly depth: number };

/** Brackets in brackets from which on code isn't followed: each of them is read as often as it is enclosed. */
export const DEEP = 40;

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The tokens of code without its comments; an opening bracket and its closing one have the depth around them. */
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

/** Without its quotation marks. */
export function bare(token: Token | undefined): string {
  return token?.kind === 'string' ? token.text.replace(/^\w*(['"`]{1,3})([\s\S]*)\1$/, '$2') : '';
}

/** Where the bracket at `from` is closed; the end of the tokens where it isn't. */
export function closing(tokens: readonly Placed[], from: number): number {
  const depth = tokens[from]?.depth ?? 0;
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && token.depth === depth && token.text in PAIRS) return at;
  }
  return tokens.length;
}

/** Words of the code, comments and strings aside, and strings that are one word and may name something. */
export function wordsIn(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((token) => {
      if (token.kind === 'word') return [token.text.replace(/^#/, '')];
      const text = bare(token);
      // A template may hold code.
      if (token.text.startsWith('`') && text.includes('${'))
        return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
      return /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(text) ? text.split('.') : [];
    }),
  );
}
