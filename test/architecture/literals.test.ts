import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Lines of a text with an object literal that is spread into another one, as in `{ ...{ a, b }, c }`. */
function spreadLiterals(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('finds a literal in a literal', () => {
  expect(spreadLiterals('a.ts', 'const a = {\n  ...{ b, c },\n  ...d,\n};')).toEqual(['a.ts:2']);
});

it('writes object literals out', () => {
  const names = sourceFiles();
  expect(names.length).toBeGreaterThan(1000);
  expect(names.flatMap((name) => spreadLiterals(name, readFileSync(join(SRC, name), 'utf8')))).toEqual([]);
});
