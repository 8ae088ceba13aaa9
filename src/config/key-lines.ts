import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { KeyPath } from './key-path.ts';
import { formatKey } from './key-path.ts';

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
