import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Where sentences for a person stand: `tell`, and the commands' own files. */
const TOLD_HERE: readonly string[] = ['tell/', 'cli/commands/', 'cli/registry.ts'];

/**
 * Where else sentences stand: the reason, and how many. A number that is too high fails, too, so that the list
 * shrinks. The longest name that fits counts.
 */
const ELSEWHERE: Readonly<Record<string, readonly [reason: string, most: number]>> = {};

/** Words of a text, in prose: no paths, options, patterns and names in code. */
function proseIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => /^[A-Za-z][a-z',.;:’]*$/.test(word) || /^[A-Z][a-z]+/.test(word));
}

/** Text of a literal, with `X` for each value in it; `null`: it isn't one, or no text. */
function textOf(node: ts.Node): string | null {
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  if (!ts.isStringLiteralLike(node)) return null;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return null;
  // A list of words that is split is no text.
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'split' ? null : node.text;
}

/** Lines of literals of more than three words. */
function sentencesIn(path: string, text: string): number[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    const literal = textOf(node);
    if (literal !== null && proseIn(literal).length > 3)
      found.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it.each([
  ["const a = 'The task waits for you';", 1],
  ['const a = `${id} waits for ${other} to end`;', 1],
  ["const a = 'waits for you';", 0],
  ["import a from 'not one of our texts';", 0],
  ["type A = 'a type is no text';", 0],
  ["const a = 'cat head tail grep sed'.split(' ');", 0],
  ["const a = 'git log --stat -1 HEAD -- src/a.ts';", 0],
] as const)('%s has %i', (text, count) => {
  expect(sentencesIn('a.ts', text)).toHaveLength(count);
});

it('a sentence for a person stands in tell, in a command, or where the list says why', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const rows = Object.keys(ELSEWHERE).toSorted((one, other) => other.length - one.length);
  const found: Record<string, number> = {};
  const where: Record<string, string[]> = {};
  for (const path of files.filter((path) => !TOLD_HERE.some((start) => path.startsWith(start)))) {
    const lines = sentencesIn(path, readFileSync(join(SRC, path), 'utf8'));
    if (lines.length === 0) continue;
    const row = rows.find((start) => path.startsWith(start)) ?? path;
    found[row] = (found[row] ?? 0) + lines.length;
    where[row] = [...(where[row] ?? []), ...lines.map((line) => `${path}:${line}`)];
  }
  const expected = Object.fromEntries(Object.entries(ELSEWHERE).map(([row, [, most]]) => [row, most]));
  const differing = [...new Set([...Object.keys(found), ...rows])].filter(
    (row) => found[row] !== expected[row],
  );
  expect(
    differing.map((row) => ({ row, found: found[row] ?? 0, listed: expected[row] ?? 0, lines: where[row] })),
  ).toEqual([]);
});
