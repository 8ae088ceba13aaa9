import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
/** Lines of one function, comments and blank lines included: what fits on two screens. */
const LONGEST_FUNCTION = 80;
const LONGEST_FILE = 350;
/** Files beside one another, sub-folders apart. */
const LARGEST_FOLDER = 24;

type Source = { readonly path: string; readonly text: string };

const sources = ['src', 'scripts'].flatMap(sourcesBelow);

function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
}

describe('what a reader has to take in at once stays small', () => {
  it(`no function is longer than ${LONGEST_FUNCTION} lines`, () => {
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });

  it(`no file is longer than ${LONGEST_FILE} lines`, () => {
    expect(sources.flatMap(longFile)).toEqual([]);
  });

  it(`no folder holds more than ${LARGEST_FOLDER} files beside one another`, () => {
    expect(crowdedFolders(sources.map(({ path }) => path))).toEqual([]);
  });
});

// Checks that never fail are no checks.
describe('the measures', () => {
  const lines = (count: number, line: string) => `${line}\n`.repeat(count);

  it.each([
    ['a function', (body: string) => `export function long() {\n${body}}\n`],
    ['an arrow', (body: string) => `const long = () => {\n${body}};\n`],
    ['a method', (body: string) => `const one = {\n  long() {\n${body}  },\n};\n`],
    ['what holds another', (body: string) => `function long() {\n  return () => {\n${body}  };\n}\n`],
  ])('see the length of %s', (_what, wrapped) => {
    const [fits, tooLong] = [LONGEST_FUNCTION - 4, LONGEST_FUNCTION];
    expect(longFunctions({ path: 'a.ts', text: wrapped(lines(fits, '  step();')) })).toEqual([]);
    expect(longFunctions({ path: 'a.ts', text: wrapped(lines(tooLong, '  step();')) })[0]).toContain('a.ts:');
  });

  it('take a table of data inside of a function for no lines, and one with code in it for all of them', () => {
    const table = (row: string) => `function long() {\n  return [\n${lines(LONGEST_FUNCTION, row)}  ];\n}\n`;
    expect(longFunctions({ path: 'a.ts', text: table("    ['a', { b: [1, -2, null] }],") })).toEqual([]);
    expect(longFunctions({ path: 'a.ts', text: table("    ['a', step()],") })).toHaveLength(1);
    expect(longFunctions({ path: 'a.ts', text: table('    name,') })).toHaveLength(1);
  });

  it('see a long file and a crowded folder', () => {
    expect(longFile({ path: 'a.ts', text: lines(LONGEST_FILE, '//') })).toEqual([]);
    expect(longFile({ path: 'a.ts', text: lines(LONGEST_FILE + 1, '//') })).toEqual(['a.ts: 351 lines']);
    const files = Array.from({ length: LARGEST_FOLDER + 1 }, (_, index) => `src/a/${index}.ts`);
    expect(crowdedFolders([...files.slice(1), 'src/a/b/c.ts'])).toEqual([]);
    expect(crowdedFolders(files)).toEqual(['src/a: 25 files']);
  });
});

/** `FILE:LINE NAME: N lines` for each function that is too long, outermost only. */
function longFunctions({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const span = (node: ts.Node) => lineOf(node.getEnd()) - lineOf(node.getStart());
  const dataLines = (node: ts.Node): number => {
    if (isTable(node)) return span(node);
    let sum = 0;
    node.forEachChild((child) => {
      sum += dataLines(child);
    });
    return sum;
  };
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const length = isFunction(node) ? span(node) + 1 - dataLines(node) : 0;
    if (length > LONGEST_FUNCTION)
      found.push(`${path}:${lineOf(node.getStart()) + 1} ${nameOf(node)}: ${length} lines`);
    else node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** Whether it is an array or object written out, with nothing computed or named in it. */
function isTable(node: ts.Node): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isData);
  if (!ts.isObjectLiteralExpression(node)) return false;
  return node.properties.every(
    (property) => ts.isPropertyAssignment(property) && isData(property.initializer),
  );
}

function isData(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return isData(node.operand);
  const isWord = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword];
  return ts.isLiteralExpression(node) || isWord.includes(node.kind) || isTable(node);
}

function nameOf(node: ts.Node): string {
  const { name } = node as ts.NamedDeclaration;
  if (name !== undefined) return name.getText();
  return ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
    ? node.parent.name.getText()
    : '(without a name)';
}

function longFile({ path, text }: Source): string[] {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return count > LONGEST_FILE ? [`${path}: ${count} lines`] : [];
}

function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > LARGEST_FOLDER)
    .map(([folder, count]) => `${folder}: ${count} files`);
}
