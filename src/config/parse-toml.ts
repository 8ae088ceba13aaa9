import { redact } from 'ralph-kit/redact';
import { stripControl } from 'ralph-kit/text';
import { parse, TomlError } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { ConfigProblem } from '../domain/config.ts';
import { formatKey, isTable, type KeyPath, type Table } from './key-path.ts';

/** Parser messages, and what should have been written. */
const EXPECTED: readonly (readonly [says: string, expected: string])[] = [
  ['invalid value', 'expected text in quotes, a number, true, false, a [list] or an { inline = "table" }'],
  [
    'illegal character in key',
    'expected a name of letters, digits, "-" and "_"; other names stand in quotes',
  ],
  ['unexpected end of key', 'expected a name before this'],
  ['incomplete key-value', 'expected key = value'],
  ['unfinished string', 'expected the closing quote'],
  ['unfinished', 'expected the closing bracket'],
  ['redefine', 'expected each key and each [section] once'],
  ['unsafe property', 'expected another name: this one is reserved'],
  [
    'unrecognised escape',
    "expected \\n, \\t, \\\", \\\\ or \\uXXXX; text in 'single quotes' needs no escapes",
  ],
  ['leading zero', 'expected a number without leading zeros'],
];

/** Depth limit, far above any setting's; later readers may recurse. */
const DEEPEST = 32;

export type ParsedToml =
  | { readonly ok: true; readonly table: Table }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** Parses TOML; a syntax error names line, column and what was expected. */
export function parseToml(name: string, text: string): ParsedToml {
  try {
    const table = parse(text, { unsafeKeyBehaviour: 'throw' });
    if (!isDeep(table)) return { ok: true, table };
    const message = `tables and lists are nested more than ${DEEPEST} levels deep; no setting needs that`;
    return { ok: false, problem: { source: name, line: null, key: '', message } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const says = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
    const expected = EXPECTED.find(([fragment]) => says.includes(fragment))?.[1];
    const message =
      `column ${error.column}: isn't valid TOML: ${says}${expected === undefined ? '' : `; ${expected}`}` +
      seen(text, error.line);
    return { ok: false, problem: { source: name, line: error.line, key: '', message } };
  }
}

/** Level by level, so that no depth exhausts the stack. */
function isDeep(table: Table): boolean {
  let level: unknown[] = [table];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level
      .flatMap((value) => (Array.isArray(value) ? value : isTable(value) ? Object.values(value) : []))
      .filter((value) => typeof value === 'object');
  }
  return false;
}

function seen(text: string, line: number): string {
  const content = redact(stripControl(text.split('\n')[line - 1] ?? ''), []).trim();
  if (content === '') return '';
  return `; the line reads: ${content.length > 80 ? `${content.slice(0, 79)}…` : content}`;
}

/** Parses one TOML value, as in a variable; `null` for other text. */
export function parseTomlValue(text: string): { readonly value: unknown } | null {
  const parsed = parseToml('', `value = ${text}`);
  if (!parsed.ok || Object.keys(parsed.table).length !== 1) return null;
  return { value: parsed.table.value };
}

/**
 * Returns lines (1-based) of keys, sections and list entries by formatted path.
 * @param text TOML accepted by `parseToml`; if this parser rejects it, no lines are known.
 */
export function keyLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const record = (path: KeyPath, { loc }: AST.TOMLNode) => {
    const key = formatKey(path);
    if (!lines.has(key)) lines.set(key, loc.start.line);
  };
  const readPair = ({ key, value }: AST.TOMLKeyValue, above: KeyPath) => {
    const path = [...above];
    for (const name of key.keys) {
      path.push(name.type === 'TOMLBare' ? name.name : name.value);
      record(path, name);
    }
    readValue(value, path);
  };
  const readValue = (value: AST.TOMLContentNode, path: KeyPath) => {
    if (value.type === 'TOMLInlineTable') for (const pair of value.body) readPair(pair, path);
    if (value.type !== 'TOMLArray') return;
    for (const [index, element] of value.elements.entries()) {
      record([...path, index], element);
      readValue(element, [...path, index]);
    }
  };
  for (const part of partsOf(text)) {
    if (part.type === 'TOMLKeyValue') readPair(part, []);
    else {
      for (const [index] of part.resolvedKey.entries()) record(part.resolvedKey.slice(0, index + 1), part);
      for (const pair of part.body) readPair(pair, part.resolvedKey);
    }
  }
  return lines;
}

function partsOf(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    return parseTOML(text, { tomlVersion: '1.1' }).body[0].body;
  } catch (error) {
    // Values of more than about 100,000 characters overflow the parser's stack.
    if (!(error instanceof ParseError || error instanceof RangeError)) throw error;
    return [];
  }
}
