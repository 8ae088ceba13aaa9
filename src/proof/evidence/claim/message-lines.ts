import { withoutEscapes } from 'ralph-kit/text';

/** A line of the agent's own words. `fence` is the index of its code fence, from 0. */
export type Line = { readonly text: string; readonly fence: number | null };

type Fence = {
  readonly last: boolean;
  readonly example: boolean;
};

export type MessageLines = { readonly lines: readonly Line[]; readonly fences: readonly Fence[] };

const INVISIBLE = /[\u200b\u2060\ufeff]/g;

/** Characters of a line; longer ones are read in pieces, which bounds the work. */
const LONGEST_LINE = 20_000;

/** Returns the lines of a text without terminal sequences. CRLF, LF and CR end a line, as a lone CR rewrites a progress line. */
export function splitLines(text: string): string[] {
  const lines = withoutEscapes(text)
    .replace(INVISIBLE, '')
    .split(/\r\n|\n|\r/);
  return lines.flatMap((line) => (line.length > LONGEST_LINE ? pieces(line) : [line]));
}

function pieces(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  while (start < line.length) {
    const piece = line.slice(start, start + LONGEST_LINE);
    const space = start + piece.length < line.length ? piece.lastIndexOf(' ') : -1;
    found.push(space > 0 ? piece.slice(0, space) : piece);
    start += space > 0 ? space : piece.length;
  }
  return found;
}

export function trimMarks(text: string, marks: ReadonlySet<string>): string {
  let from = 0;
  let to = text.length;
  while (from < to && marks.has(text[from] ?? '')) from += 1;
  while (to > from && marks.has(text[to - 1] ?? '')) to -= 1;
  return text.slice(from, to);
}

/** Returns the lines without block quotes and fence markers, each with its fence. */
export function readMessageLines(rawLines: readonly string[]): MessageLines {
  const lines: Line[] = [];
  const fences: { last: boolean; example: boolean }[] = [];
  let open: { marker: string; length: number; number: number } | null = null;
  let lastWords = '';
  for (const text of rawLines) {
    const trimmed = text.trimStart();
    const marker = fenceMarker(trimmed);
    if (open === null && marker !== null) {
      endTrail(fences);
      fences.push({ last: true, example: announcesExample(lastWords) });
      open = { ...marker, number: fences.length - 1 };
      continue;
    }
    if (open !== null && marker?.bare && marker.marker === open.marker && marker.length >= open.length) {
      open = null;
      continue;
    }
    if (isQuotation(trimmed)) continue;
    const fence: number | null = open === null ? null : open.number;
    if (fence === null && hasWords(text)) {
      lastWords = text;
      endTrail(fences);
    }
    lines.push({ text, fence });
  }
  return { lines, fences };
}

function endTrail(fences: { last: boolean }[]): void {
  const newest = fences.at(-1);
  if (newest !== undefined) newest.last = false;
}

function fenceMarker(trimmed: string): { marker: string; length: number; bare: boolean } | null {
  const marker = trimmed[0];
  if (marker !== '`' && marker !== '~') return null;
  let length = 1;
  while (trimmed[length] === marker) length += 1;
  if (length < 3) return null;
  const info = trimmed.slice(length);
  // A backtick after the marker makes it inline code, not a fence.
  if (marker === '`' && info.includes('`')) return null;
  return { marker, length, bare: info.trim() === '' };
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const ANNOUNCES_EXAMPLE = /\b(?:example|e\.g\.|for instance|template|would look|looks? like|sample)(?!\w)/i;

/** Words that introduce the content of a file, or quoted text. */
const SHOWS =
  /\b(?:document(?:s|ed|ation)?|contains?|contents?|reads|says|said|shows|showed|prints|printed|quot(?:e|es|ed|ing)|logged)\b[^.!?]*$/i;

function isQuotation(line: string): boolean {
  return line.startsWith('>');
}

export function announcesExample(text: string | undefined): boolean {
  if (text === undefined) return false;
  const end = text.slice(-300);
  return ANNOUNCES_EXAMPLE.test(end) || SHOWS.test(end);
}
