import type { KeyPath } from './key-path.ts';
import { formatKey } from './key-path.ts';

/**
 * Lines (1-based) of the keys, sections and list entries of a TOML text, by their formatted path. Knows section
 * headers, dotted and quoted keys, inline tables, lists and lists of tables. Meant for texts that parse; for others
 * it finds what it can and never throws.
 */
export function keyLines(text: string): ReadonlyMap<string, number> {
  const scan: Scan = { text, at: 0, line: 1, lines: new Map(), listLengths: new Map() };
  let section: KeyPath = [];
  while (scan.at < text.length) {
    const start = scan.at;
    skipBlank(scan, '');
    if (text[scan.at] === '[') section = readHeader(scan);
    else readPair(scan, section);
    // Whatever the text is, the scan goes on.
    if (scan.at === start) step(scan);
  }
  return scan.lines;
}

/** The line of a key; of the nearest table or list around it where the key itself is not in the text. */
export function lineOf(lines: ReadonlyMap<string, number>, path: KeyPath): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(formatKey(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return null;
}

/** Deeper than any text that `parseToml` lets pass; below it nothing is recorded. */
const DEEPEST = 40;

type Scan = {
  readonly text: string;
  at: number;
  line: number;
  readonly lines: Map<string, number>;
  /** How many tables a list of tables has so far. */
  readonly listLengths: Map<string, number>;
};

function step(scan: Scan, count = 1): void {
  for (let i = 0; i < count && scan.at < scan.text.length; i += 1) {
    if (scan.text[scan.at] === '\n') scan.line += 1;
    scan.at += 1;
  }
}

function record(scan: Scan, path: KeyPath): void {
  const key = formatKey(path);
  if (!scan.lines.has(key)) scan.lines.set(key, scan.line);
}

/** White space, line ends, comments and the given separators. */
function skipBlank(scan: Scan, separators: string): void {
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? '';
    if (char === '#') {
      while (scan.at < scan.text.length && scan.text[scan.at] !== '\n') step(scan);
    } else if (/\s/.test(char) || separators.includes(char)) step(scan);
    else return;
  }
}

function readHeader(scan: Scan): KeyPath {
  const isList = scan.text.startsWith('[[', scan.at);
  step(scan, isList ? 2 : 1);
  const path: (string | number)[] = [];
  const names = readKey(scan);
  for (const [index, name] of names.entries()) {
    path.push(name);
    record(scan, path);
    const key = formatKey(path);
    if (isList && index === names.length - 1) {
      scan.listLengths.set(key, (scan.listLengths.get(key) ?? 0) + 1);
    }
    const length = scan.listLengths.get(key);
    if (length !== undefined) path.push(length - 1);
  }
  record(scan, path);
  while (scan.text[scan.at] === ']') step(scan);
  return path;
}

function readPair(scan: Scan, section: KeyPath): void {
  const names = readKey(scan);
  if (names.length === 0) return;
  const path = [...section];
  for (const name of names) {
    path.push(name);
    record(scan, path);
  }
  if (scan.text[scan.at] !== '=') return;
  step(scan);
  readValue(scan, path);
}

/** Names of a dotted key, up to its `=` or `]`. */
function readKey(scan: Scan): string[] {
  const names: string[] = [];
  while (scan.at < scan.text.length) {
    skipSpaces(scan);
    const char = scan.text[scan.at] ?? '';
    if (char === '.') step(scan);
    else if (char === '"' || char === "'") addName(names, unquote(readString(scan)));
    else {
      const start = scan.at;
      while (/^[\w-]$/.test(scan.text[scan.at] ?? '')) step(scan);
      if (scan.at === start) break;
      addName(names, scan.text.slice(start, scan.at));
    }
  }
  return names;
}

function addName(names: string[], name: string): void {
  if (names.length < DEEPEST) names.push(name);
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.at] === ' ' || scan.text[scan.at] === '\t') step(scan);
}

function readValue(scan: Scan, path: KeyPath): void {
  skipSpaces(scan);
  const char = scan.text[scan.at] ?? '';
  if (char === '"' || char === "'") readString(scan);
  else if (char === '[' && path.length < DEEPEST) readList(scan, path);
  else if (char === '{' && path.length < DEEPEST) readInlineTable(scan, path);
  else while (scan.at < scan.text.length && !/[,\]}\n#]/.test(scan.text[scan.at] ?? '')) step(scan);
}

function readList(scan: Scan, path: KeyPath): void {
  step(scan);
  for (let index = 0; scan.at < scan.text.length; index += 1) {
    skipBlank(scan, ',');
    if (scan.text[scan.at] === ']' || scan.text[scan.at] === undefined) break;
    const start = scan.at;
    record(scan, [...path, index]);
    readValue(scan, [...path, index]);
    if (scan.at === start) step(scan);
  }
  step(scan);
}

function readInlineTable(scan: Scan, path: KeyPath): void {
  step(scan);
  while (scan.at < scan.text.length) {
    skipBlank(scan, ',');
    if (scan.text[scan.at] === '}' || scan.text[scan.at] === undefined) break;
    const start = scan.at;
    readPair(scan, path);
    if (scan.at === start) step(scan);
  }
  step(scan);
}

/** Reads over a string of any of the four kinds and returns it with its quotes. */
function readString(scan: Scan): string {
  const quote = scan.text[scan.at] ?? '';
  const long = scan.text.startsWith(quote.repeat(3), scan.at);
  const close = long ? quote.repeat(3) : quote;
  const start = scan.at;
  step(scan, close.length);
  while (scan.at < scan.text.length && !scan.text.startsWith(close, scan.at)) {
    if (!long && scan.text[scan.at] === '\n') break;
    step(scan, quote === '"' && scan.text[scan.at] === '\\' ? 2 : 1);
  }
  step(scan, close.length);
  // A long string may end in up to two quotes of its own.
  while (long && scan.text[scan.at] === quote) step(scan);
  return scan.text.slice(start, scan.at);
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : inner;
  } catch {
    // TOML knows a few escapes more than JSON; such a key keeps its spelling.
    return inner;
  }
}
