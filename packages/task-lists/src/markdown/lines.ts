import type { TrackedStatus } from '../task.ts';

/** Meaning of each mark in a check box. If two marks mean the same, ralph writes the first one. */
const STATUS_OF_MARK = {
  ' ': 'open',
  x: 'done',
  X: 'done',
  '-': 'blocked',
  '!': 'blocked',
  '~': 'in_progress',
} as const satisfies Record<string, TrackedStatus>;

export type Mark = keyof typeof STATUS_OF_MARK;
export const MARKS = Object.keys(STATUS_OF_MARK) as readonly Mark[];
export type Meanings = Readonly<Record<Mark, TrackedStatus>>;

/** Marks in lists of Kiro: `[-]` is in progress, and `[~]` is still to do. ralph writes `[!]` for a blocked task. */
const KIRO_MARKS: Meanings = { ...STATUS_OF_MARK, '-': 'in_progress', '~': 'open' };
/** Marks in lists of OpenSpec: only `[x]` is done, all other marks are open. ralph writes `[!]` for a blocked task. */
const OPENSPEC_MARKS: Meanings = { ...STATUS_OF_MARK, '-': 'open', '~': 'open' };

/** How a tool reads its check lists. */
export type Dialect = {
  readonly meanings: Meanings;
  /**
   * Whether `[-]` and `[!]` leave out a part below a task. Tools with marks of their own know no such parts: what isn't
   * ticked there has to be done.
   */
  readonly leavesOutParts: boolean;
  /**
   * Kind of a numbered box with parts and only a title. `group`: ticked with its last part; `shared`: a group whose
   * text belongs to the last part's task; `task`: a task of its own that comes after its parts.
   */
  readonly parents: 'group' | 'shared' | 'task';
  /** Whether a box may have spaces beside its mark, no mark, or an unknown mark: `[ x]`, `[]`, `[?]`. */
  readonly anyBox: boolean;
};

const PLAIN: Dialect = {
  meanings: STATUS_OF_MARK,
  leavesOutParts: true,
  parents: 'shared',
  anyBox: false,
};
const DIALECTS: readonly (readonly [folder: RegExp, dialect: Dialect])[] = [
  [
    /(?:^|[/\\])\.kiro[/\\]/,
    { meanings: KIRO_MARKS, leavesOutParts: false, parents: 'group', anyBox: false },
  ],
  [
    /(?:^|[/\\])openspec[/\\]/,
    { meanings: OPENSPEC_MARKS, leavesOutParts: false, parents: 'task', anyBox: true },
  ],
];

/** Returns the dialect of a list at this path: tools keep their lists in folders of their own. */
export function dialectAt(path: string): Dialect {
  return DIALECTS.find(([folder]) => folder.test(path))?.[1] ?? PLAIN;
}

export function statusOfMark(mark: Mark, meanings: Meanings = STATUS_OF_MARK): TrackedStatus {
  return meanings[mark];
}

/** Returns the mark that ralph writes; `null`: a check box can't hold this status. */
export function markOfStatus(status: TrackedStatus, meanings: Meanings = STATUS_OF_MARK): Mark | null {
  return MARKS.find((mark) => meanings[mark] === status) ?? null;
}

/** A problem in one line, numbered from 1. */
export type LineProblem = { readonly line: number; readonly message: string };

/**
 * `indent`: columns, where a tab ends at the next multiple of 4. `number`: line from 1. Offsets are in the whole text.
 */
type Place = { readonly number: number; readonly indent: number };

export type MarkdownLine =
  | (Place & { readonly kind: 'blank' })
  /** A code fence or a line inside one, unchanged. */
  | (Place & { readonly kind: 'code'; readonly text: string })
  /** A heading. `start` and `end` are offsets of its text; they aren't used for headings with an underline. */
  | (Place & {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly underlined: boolean;
    })
  /**
   * A check box. `at`: offset of its mark; `odd`: the box as written, if its mark has no meaning or spaces around it
   * are missing; `optional`: a star follows it.
   */
  | (Place & {
      readonly kind: 'box';
      readonly mark: Mark;
      readonly at: number;
      readonly text: string;
      readonly malformed: string | null;
      readonly optional: boolean;
    })
  | (Place & { readonly kind: 'bullet'; readonly text: string })
  | (Place & { readonly kind: 'text'; readonly text: string });

/** A no-break space looks like any other, and is typed by accident. */
const BULLET = /(?:[-*+]|\d{1,9}[.)])[ \t\u00a0]+/y;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
/** A box without a space before or after it. With a parenthesis or colon after it, it would be a link. */
const CRAMPED =
  /(?:[-+]|\d{1,9}[.)])(?:\[[ xX!~-]\][ \t]*(?=[^\s([:])(?!\*\s)|[ \t]+\[[ xX!~-]\](?=[^\s([:])(?!\*\s))/uy;
const BOX = /\[([^\]\s]?|[^\]]{2}|\s)\]\*?(?=[ \t\u00a0]|$)/uy;
/**
 * A box as OpenSpec reads it (`parseTaskLines` of version 1.13): at most one mark, and any spaces. Links aren't boxes.
 */
const ANY_BOX =
  /(?:[-*+]|\d{1,9}[.)])[ \t]*\[([ \t]*([^\]\s]?)[ \t]*)\](?:(\*)(?=[ \t]|$)|(?![([])|(?<=\[[ \t]+\]))/uy;
/** A box without a bullet. With an equals sign or another box after it, the line explains marks instead. */
const BARE_BOX = /\[([ xX~!-])\]\*?[ \t]+(?![=:→–—-])(?=\S)(?!.*\[[ xX~!-]\])/uy;

/**
 * Splits a Markdown text into the lines that matter to a task list. Code fences, HTML comments and front matter have no
 * tasks: fences become `code`, the others `blank`. Comments within a line become spaces.
 */
export function readLines(text: string, dialect: Dialect = PLAIN): ReadLines {
  const nested = cutLines(text, true, dialect);
  if (nested.problems.length === 0) return nested;
  const plain = cutLines(text, false, dialect);
  return plain.problems.length < nested.problems.length ? plain : nested;
}

type ReadLines = { readonly lines: MarkdownLine[]; readonly problems: LineProblem[] };

/**
 * Cuts a text into lines.
 * @param nests Whether fences marked as Markdown may contain other fences. CommonMark ends them at the first mark that
 * is long enough, but people who show Markdown in Markdown often expect nesting.
 */
function cutLines(text: string, nests: boolean, dialect: Dialect): ReadLines {
  const lines: MarkdownLine[] = [];
  const problems: LineProblem[] = [];
  const fences: { readonly mark: string; readonly number: number }[] = [];
  let holdsFences = false;
  let commentSince: number | null = null;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  const frontMatterEnd = endOfFrontMatter(text, start);
  for (let number = 1; start < text.length; number += 1) {
    const lineFeed = text.indexOf('\n', start);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    let raw = text.slice(start, lineFeed === -1 ? text.length : lineFeed);
    if (raw.endsWith('\r')) raw = raw.slice(0, -1);
    if (start < frontMatterEnd) {
      lines.push({ kind: 'blank', number, indent: 0 });
    } else if (fences.length > 0) {
      lines.push({ kind: 'code', number, indent: indentOf(raw), text: raw });
      const inner = holdsFences ? openedFence(raw) : null;
      if (inner?.info) fences.push({ mark: inner.mark, number });
      else closeFence(fences, raw);
    } else {
      const masked: Masked =
        commentSince !== null || raw.includes('<!--')
          ? maskComments(raw, commentSince !== null)
          : { text: raw, open: false };
      if (!masked.open) commentSince = null;
      else commentSince ??= number;
      const opened = openedFence(masked.text);
      if (opened !== null) {
        fences.push({ mark: opened.mark, number });
        holdsFences = nests && /^(?:markdown|md|mdx)\b/i.test(opened.info);
        lines.push({ kind: 'code', number, indent: indentOf(raw), text: raw });
      } else if (isUnderline(masked.text, lines)) {
        underline(lines, masked.text.trimEnd().endsWith('=') ? 1 : 2, start);
        lines.push({ kind: 'blank', number, indent: 0 });
      } else {
        lines.push(readLine(masked.text, number, start, dialect));
      }
    }
    start = next;
  }
  const [fence] = fences;
  if (fence !== undefined) problems.push(unclosed('code fence', fence.number));
  if (commentSince !== null) problems.push(unclosed('HTML comment', commentSince));
  return { lines, problems };
}

function readLine(text: string, number: number, start: number, { anyBox }: Dialect): MarkdownLine {
  const from = text.search(/\S/);
  if (from === -1) return { kind: 'blank', number, indent: 0 };
  const indent = indentOf(text);
  const first = text[from];
  if (first === '#' && indent <= 3) {
    const heading = readHeading(text, from);
    if (heading !== null) {
      return {
        kind: 'heading',
        number,
        indent,
        level: heading.level,
        text: text.slice(heading.from, heading.to),
        start: start + heading.from,
        end: start + heading.to,
        underlined: false,
      };
    }
  }
  if ((first === '-' || first === '*' || first === '_') && RULE.test(text))
    return { kind: 'blank', number, indent: 0 };
  if (anyBox) {
    ANY_BOX.lastIndex = from;
    const found = ANY_BOX.exec(text);
    if (found !== null) {
      const [whole, inside = '', token = '', star] = found;
      const mark = token === '' ? ' ' : MARKS.find((known) => known === token);
      const malformed = inside.length === 1 && mark !== undefined ? null : `[${inside}]`;
      return {
        ...({ kind: 'box', number, indent, mark: mark ?? ' ', malformed } as const),
        at: start + from + whole.indexOf('[') + 1,
        optional: star !== undefined,
        text: text.slice(ANY_BOX.lastIndex).trim(),
      };
    }
  }
  CRAMPED.lastIndex = from;
  const cramped = CRAMPED.exec(text)?.[0];
  if (cramped !== undefined) {
    const at = from + cramped.indexOf('[') + 1;
    const rest = text.slice(CRAMPED.lastIndex).trim();
    const malformed = text.slice(at - 1, at + 2);
    return { kind: 'box', number, indent, at: start + at, text: rest, mark: ' ', malformed, optional: false };
  }
  BULLET.lastIndex = from;
  const bullet = BULLET.exec(text);
  const content = bullet === null ? from : BULLET.lastIndex;
  const form = bullet === null ? BARE_BOX : BOX;
  form.lastIndex = content;
  const found = form.exec(text);
  const inside = found?.[1];
  if (inside === undefined) {
    const kind = bullet === null ? 'text' : 'bullet';
    return { kind, number, indent, text: text.slice(content).trim() };
  }
  const rest = text.slice(form.lastIndex).trim();
  const mark = MARKS.find((known) => known === inside);
  const optional = found?.[0].includes(']*') === true;
  const box = { kind: 'box', number, indent, at: start + content + 1, text: rest, optional } as const;
  if (mark !== undefined) return { ...box, mark, malformed: null };
  // "[a] text" and "[1] text" are references, but "[ x] text" and "[?] text" were meant as boxes.
  if (/^[\p{L}\p{N}]+$/u.test(inside))
    return { kind: 'bullet', number, indent, text: text.slice(content).trim() };
  return { ...box, mark: ' ', malformed: `[${inside}]` };
}

/**
 * Returns the level of a heading and the offsets of its text in the line, without closing `#`; `null`: the line isn't a
 * heading.
 */
function readHeading(text: string, from: number): { level: number; from: number; to: number } | null {
  let level = 0;
  while (text[from + level] === '#') level += 1;
  const after = text[from + level];
  if (level > 6 || (after !== undefined && after !== ' ' && after !== '\t')) return null;
  let begin = from + level;
  while (begin < text.length && /\s/.test(text[begin] ?? '')) begin += 1;
  let end = text.trimEnd().length;
  let hashes = end;
  while (hashes > begin && text[hashes - 1] === '#') hashes -= 1;
  if (hashes === begin || /\s/.test(text[hashes - 1] ?? '')) end = text.slice(0, hashes).trimEnd().length;
  return { level, from: begin, to: Math.max(begin, end) };
}

/**
 * Returns whether `===` or `---` makes the line before it a heading. That line has to be a single paragraph line
 * without indentation.
 */
function isUnderline(text: string, lines: readonly MarkdownLine[]): boolean {
  const last = lines.at(-1);
  if (last?.kind !== 'text' || !/^ {0,3}(?:=+|--+)[ \t]*$/.test(text)) return false;
  const before = lines.at(-2);
  const alone = before === undefined || before.kind === 'blank' || before.kind === 'heading';
  return last.indent === 0 && alone;
}

function underline(lines: MarkdownLine[], level: number, start: number): void {
  const last = lines.pop();
  if (last?.kind !== 'text') return;
  const { number, text } = last;
  lines.push({ kind: 'heading', number, indent: 0, level, text, start, end: start, underlined: true });
}

function indentOf(text: string): number {
  let columns = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

function unclosed(what: string, line: number): LineProblem {
  return {
    line,
    message: `the ${what} opened in line ${line} isn't closed, so nothing after it is read; close it`,
  };
}

const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;

/**
 * Returns the mark of a code fence that the line opens, such as ``` or ~~~~, and the text after it; `null`: it opens
 * none.
 */
function openedFence(text: string): { readonly mark: string; readonly info: string } | null {
  if (!text.includes('```') && !text.includes('~~~')) return null;
  const match = FENCE.exec(text);
  const mark = match?.[1];
  if (mark === undefined || (mark.startsWith('`') && match?.[2]?.includes('`'))) return null;
  return { mark, info: (match?.[2] ?? '').trim() };
}

/**
 * Ends the fence with exactly this mark, and those inside it; otherwise the innermost one that a mark of this length
 * can end.
 */
function closeFence(fences: { readonly mark: string }[], raw: string): void {
  const exact = fences.findLastIndex(({ mark }) => mark === raw.trim());
  const at = exact === -1 ? fences.findLastIndex(({ mark }) => closesFence(raw, mark)) : exact;
  if (at !== -1) fences.splice(at);
}

function closesFence(raw: string, mark: string): boolean {
  const text = raw.trim();
  if (text.length < mark.length) return false;
  for (const character of text) if (character !== mark[0]) return false;
  return true;
}

type Masked = { readonly text: string; readonly open: boolean };

/** Replaces comments by spaces. `open`: a comment continues on the next line. */
function maskComments(raw: string, inside: boolean): Masked {
  let text = raw;
  let from = 0;
  if (inside) {
    const end = raw.indexOf('-->');
    if (end === -1) return { text: '', open: true };
    text = ' '.repeat(end + 3) + raw.slice(end + 3);
    from = end + 3;
  }
  for (let begin = text.indexOf('<!--', from); begin !== -1; begin = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', begin + 4);
    if (inCodeSpan(text, begin)) {
      from = begin + 4;
    } else if (end !== -1) {
      text = text.slice(0, begin) + ' '.repeat(end + 3 - begin) + text.slice(end + 3);
      from = end + 3;
    } else if (/^\s*(?:[-*+][ \t]+)?$/.test(text.slice(0, begin))) {
      return { text: text.slice(0, begin), open: true };
    } else {
      // An opening mark within a sentence, without its end on the same line, is ordinary text.
      break;
    }
  }
  return { text, open: false };
}

function inCodeSpan(text: string, at: number): boolean {
  let ticks = 0;
  for (let index = 0; index < at; index += 1) if (text[index] === '`') ticks += 1;
  return ticks % 2 === 1;
}

export function hasFrontMatter(text: string): boolean {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return endOfFrontMatter(text, start) > start;
}

/** Returns the offset after a YAML block between `---` lines at the very beginning; `start`: there is none. */
function endOfFrontMatter(text: string, start: number): number {
  if (!/^---[ \t]*\r?\n/.test(text.slice(start, start + 80))) return start;
  const close = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/g;
  close.lastIndex = start + 3;
  const match = close.exec(text);
  // Rules at the top of a file look like front matter, but only front matter has keys.
  if (match === null || !/^[\w-]+[ \t]*:/m.test(text.slice(start, match.index))) return start;
  return match.index + match[0].length;
}
