import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** What says nothing of a thing, or means something else to everyone: what it is has a noun of its own. */
const REPLACED: ReadonlySet<string> = new Set([
  ...['seat', 'seats', 'orders', 'told', 'said', 'standing', 'standings', 'hollow', 'beside', 'besides'],
  ...['yours', 'theirs', 'ours'],
]);

/** Fields of records and of the journal: recorded runs hold them under these names. */
const PERSISTED: ReadonlySet<string> = new Set([
  ...['standing', 'hollow', 'beside', 'seats', 'told', 'false_positives_told'],
]);

/** Returns the words of a name: `isGoneNow` and `IS_GONE_NOW` have three. */
function wordsOf(name: string): string[] {
  return name
    .split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}

/** Whether an identifier names a member: of a type, an object or a schema, or where it is read. A shorthand names a variable, too. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertySignature(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}

/** The identifiers of a text that hold a replaced word, but for the fields of records. */
function replacedIn(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && wordsOf(node.text).some((word) => REPLACED.has(word)))
      if (!PERSISTED.has(node.text) || !isMember(node)) found.push(`${path}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

it('a thing is called by its own noun, in code and in the names of files', () => {
  const files = sourceFiles();
  const named = files.filter((path) => wordsOf(path).some((word) => REPLACED.has(word)));
  const identifiers = files.flatMap((path) => replacedIn(path, readFileSync(join(SRC, path), 'utf8')));
  expect([...named, ...new Set(identifiers)]).toEqual([]);
});

it.each([
  ["const said = 'said';", ['said']],
  ['// said\nconst NOTHING_SAID = isSaid(one.toldOnce);', ['NOTHING_SAID', 'isSaid', 'toldOnce']],
  ['const { standing, hollow: why } = judgement;', ['standing']],
  ['const { standing: status } = { standing: 1, beside };', ['beside']],
  ['type Judged = { readonly standing: string; readonly said: string };', ['said']],
  ['type Ordered = { readonly aside: string; readonly reseated: number };', []],
] as const)('in %j they are %j', (text, names) => {
  expect(replacedIn('x.ts', text)).toEqual(names.map((name) => `x.ts: ${name}`));
});
