import { type CodeLanguage, languageOf, type Token, tokenize } from 'ralph-ecosystems';
import type { SideLine } from 'ralph-kit/formats/patch';

export type Side = {
  readonly path: string;
  readonly language: CodeLanguage;
  readonly lines: readonly SideLine[];
  /** Joined lines; offsets of tokens and matches refer to it. */
  readonly text: string;
  /** The side's text with blanks in the place of comments. */
  readonly code: string;
  /** `code` with the contents of strings as blanks. */
  readonly bare: string;
  readonly tokens: readonly Token[];
  /** Offset of each line in `text`. */
  readonly starts: readonly number[];
  readonly sections: readonly string[];
};

/** Characters of a line; longer ones are data or minified and count as empty, as patterns take quadratic or cubic time on them. */
const LONGEST_LINE = 500;

export type Match = {
  readonly groups: readonly (string | undefined)[];
  readonly text: string;
  readonly start: number;
  /** Index of the match's first line in `lines`. */
  readonly line: number;
  readonly lastLine: number;
  readonly changed: boolean;
};

export function sideOf(path: string, lines: readonly SideLine[], sections: readonly string[]): Side {
  const language = languageOf(path);
  const starts: number[] = [];
  let text = '';
  for (const line of lines) {
    starts.push(text.length);
    text += line.text.length > LONGEST_LINE ? '\n' : `${line.text}\n`;
  }
  const tokens = hunksOf(lines, starts, text.length).flatMap(([from, to]) =>
    tokensOf(text.slice(from, to), from, language),
  );
  const blanked = (token: Token): string =>
    token.kind === 'comment'
      ? blank(token.text)
      : token.text[0] + blank(token.text.slice(1, -1)) + token.text.slice(-1);
  return {
    path,
    language,
    lines,
    text,
    code: replaced(
      text,
      tokens.filter(({ kind }) => kind === 'comment'),
      blanked,
    ),
    bare: replaced(
      text,
      tokens.filter(({ kind }) => kind !== 'word' && kind !== 'number' && kind !== 'punct'),
      blanked,
    ),
    tokens: tokens.filter(({ kind }) => kind !== 'comment'),
    starts,
    sections,
  };
}

export function lineAt({ starts }: Side, offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function isChanged(side: Side, from: number, to: number): boolean {
  return side.lines.slice(from, to + 1).some(({ changed }) => changed);
}

/** Returns matches of a pattern (with the flag `g`) in code, without those that begin in a string or comment. */
export function findCode(side: Side, pattern: RegExp, view: 'code' | 'bare' = 'code'): readonly Match[] {
  return allMatches(side[view], pattern).flatMap((match) => {
    const start = match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    if (view === 'code' && insideString(side, start)) return [];
    const [line, lastLine] = [
      lineAt(side, start),
      lineAt(side, match.index + Math.max(match[0].trimEnd().length, 1) - 1),
    ];
    return [
      { groups: [...match], text: match[0], start, line, lastLine, changed: isChanged(side, line, lastLine) },
    ];
  });
}

/** Returns the matches of `matchAll` without copying the pattern for each text, as there are many of both. */
function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    matches.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return matches;
}

export function findComments(side: Side, pattern: RegExp): readonly Match[] {
  return allMatches(side.text, pattern).flatMap((match) => {
    const start = match.index;
    // Text that differs between `text` and `code` is a comment.
    if (side.code.slice(start, start + match[0].length) === match[0]) return [];
    const line = lineAt(side, start);
    // A directive begins its comment. Prose may mention one further on.
    const before = side.text.slice(side.starts[line], start);
    if (!/^(?:#|\/\/)/.test(match[0]) && !/(?:\/\/|\/\*+|#|\*|--|<!--|%|;)[\s!]*$/.test(before)) return [];
    return [
      {
        groups: [...match],
        text: match[0],
        start,
        line,
        lastLine: line,
        changed: isChanged(side, line, line),
      },
    ];
  });
}

function insideString(side: Side, offset: number): boolean {
  return side.bare[offset] !== side.code[offset];
}

function hunksOf(
  lines: readonly SideLine[],
  starts: readonly number[],
  end: number,
): readonly [number, number][] {
  const first = lines.flatMap((line, index) =>
    index === 0 || line.hunk !== lines[index - 1]?.hunk ? [starts[index] ?? 0] : [],
  );
  return first.map((from, index) => [from, first[index + 1] ?? end]);
}

function tokensOf(text: string, offset: number, language: CodeLanguage): readonly Token[] {
  const skipped = insideAtStart(text, language);
  const rest = tokenize(text.slice(skipped), language).map((token) => ({
    ...token,
    start: token.start + skipped + offset,
  }));
  if (skipped === 0) return rest;
  return [{ kind: 'comment', text: text.slice(0, skipped), start: offset }, ...rest];
}

/** Returns the length of a comment or long string that begins above the hunk. */
function insideAtStart(text: string, { name, blockComments }: CodeLanguage): number {
  if (name === 'python') {
    const marks = text.match(/"""|'''/g) ?? [];
    const [bare] = /^[ \t]*(?:"""|''')[ \t]*$/m.exec(text) ?? [];
    const at = bare === undefined ? -1 : text.indexOf(bare);
    // An odd number of marks, the first alone on its line, means that a docstring ends there.
    const closes = marks.length % 2 === 1 && at >= 0 && text.search(/"""|'''/) >= at;
    return closes ? at + (bare ?? '').length : 0;
  }
  for (const [open, close] of blockComments) {
    const end = text.indexOf(close);
    if (end >= 0 && !text.slice(0, end).includes(open) && /^\s*\*|^\s*[^\s/]/.test(text)) {
      const line = text.slice(text.lastIndexOf('\n', end) + 1, end);
      if (!/["'`/]/.test(line)) return end + close.length;
    }
  }
  return 0;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function replaced(text: string, tokens: readonly Token[], by: (token: Token) => string): string {
  let [out, at] = ['', 0];
  for (const token of tokens) {
    out +=
      text.slice(at, token.start) +
      (token.text.length < 2 && token.kind !== 'comment' ? token.text : by(token));
    at = token.start + token.text.length;
  }
  return out + text.slice(at);
}
