import { type CodeLanguage, languageOf, type Token, tokenize } from '../../../ecosystems/index.ts';
import type { SideLine } from '../diff/file-change.ts';

/** One version of a file, as far as the diff shows it, split into tokens. */
export type Side = {
  readonly path: string;
  readonly language: CodeLanguage;
  readonly lines: readonly SideLine[];
  /** The lines, joined; offsets of tokens and matches refer to it. */
  readonly text: string;
  /** The same with comments as blanks. */
  readonly code: string;
  /** The same with the contents of strings as blanks, too. */
  readonly bare: string;
  readonly tokens: readonly Token[];
  /** Offset at which each line begins. */
  readonly starts: readonly number[];
  /** What git prints after `@@`, by hunk. */
  readonly sections: readonly string[];
};

/** Longer lines are data or minified: they count as empty, as patterns over them take their square or cube. */
const LONGEST_LINE = 500;

export type Match = {
  readonly groups: readonly (string | undefined)[];
  readonly text: string;
  readonly start: number;
  /** Indexes into `lines`. */
  readonly line: number;
  readonly lastLine: number;
  /** At least one of its lines is only in this version. */
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

/** Index of the line that an offset is in. */
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

/** Where a pattern (with the flag `g`) matches code: what begins inside a string or a comment isn't one. */
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

/** As `matchAll` gives them, without a copy of the pattern for each text: there are many of both. */
function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    matches.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return matches;
}

/** The comments of a side, for what is written in them on purpose. */
export function findComments(side: Side, pattern: RegExp): readonly Match[] {
  return allMatches(side.text, pattern).flatMap((match) => {
    const start = match.index;
    // A comment is what differs between the text and the code.
    if (side.code.slice(start, start + match[0].length) === match[0]) return [];
    const line = lineAt(side, start);
    // A directive begins its comment; prose that mentions one doesn't.
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

/** How far a hunk continues a comment or a long string that began above of it. */
function insideAtStart(text: string, { name, blockComments }: CodeLanguage): number {
  if (name === 'python') {
    const marks = text.match(/"""|'''/g) ?? [];
    const [bare] = /^[ \t]*(?:"""|''')[ \t]*$/m.exec(text) ?? [];
    const at = bare === undefined ? -1 : text.indexOf(bare);
    // An odd number of marks of which the first stands alone on its line: the end of a docstring.
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
