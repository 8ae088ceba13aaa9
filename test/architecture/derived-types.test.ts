import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** A reader can hold this many members of `Pick` or `Omit` in mind without a name for them. */
const MOST_MEMBERS = 3;

const CHOOSES: ReadonlySet<string> = new Set(['Pick', 'Omit']);
const DERIVES: ReadonlySet<string> = new Set([
  ...['Awaited', 'Exclude', 'Extract', 'NonNullable', 'Parameters', 'ReturnType'],
]);

function nameOf(node: ts.TypeNode | undefined): string {
  return node !== undefined && ts.isTypeReferenceNode(node) ? node.typeName.getText() : '';
}

/** Whether a type needs a name: it chooses many members, or is a part of a type that is itself derived. */
function needsName(node: ts.Node): boolean {
  if (ts.isIndexedAccessTypeNode(node)) return DERIVES.has(nameOf(node.objectType));
  if (!ts.isTypeReferenceNode(node) || !CHOOSES.has(nameOf(node))) return false;
  const members = node.typeArguments?.[1];
  return members !== undefined && ts.isUnionTypeNode(members) && members.types.length > MOST_MEMBERS;
}

/** Lines with a derived type outside of a declaration that names it. */
function unnamedIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (needsName(node))
      lines.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

it.each([
  ["function f(a: Pick<A, 'a' | 'b' | 'c' | 'd'>): void {}", 1],
  ["const f = (a: Omit<A, 'a' | 'b' | 'c' | 'd'>) => a;", 1],
  ["function f(a: Pick<A, 'a' | 'b' | 'c'>): void {}", 0],
  ["type B = Pick<A, 'a' | 'b' | 'c' | 'd'>;", 0],
  ['function f(a: Parameters<typeof g>[2]): void {}', 1],
  ["let a: Extract<A, { kind: 'b' }>['story'];", 1],
  ["const a = (b: ReturnType<typeof f>['x'][number]) => b;", 1],
  ["type C = Awaited<ReturnType<typeof f>>['report'];", 0],
  ["function f(a: A['b'][number]): void {}", 0],
] as const)('in %j there are %i', (text, count) => {
  expect(unnamedIn('a.ts', text)).toHaveLength(count);
});

it('derived types have a name where they are declared', () => {
  const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  expect(paths.flatMap((path) => unnamedIn(path, readFileSync(join(SRC, path), 'utf8')))).toEqual([]);
});
