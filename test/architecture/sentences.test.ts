import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Where sentences for the user stand: `tell`, and the commands' own files. */
const TOLD_HERE: readonly string[] = ['tell/', 'cli/commands/', 'cli/registry.ts'];

/**
 * Where else sentences stand: the reason, and how many. A number that is too high fails, too, so that the list
 * shrinks. The longest name that fits counts.
 */
const ELSEWHERE: Readonly<Record<string, readonly [reason: string, most: number]>> = {
  'app/commands/': [
    'a refusal is said where a command finds what it refuses, with the command that helps',
    255,
  ],
  'app/demo/': ['what the agent of the demo says', 18],
  'app/doctor/': ['each check owns its sentence', 212],
  'app/eval/': ['suites, models and programs of an evaluation', 44],
  'app/human/': ['what a decision on a gate did, or why it is refused', 43],
  'app/records/': ["why a record can't be shown", 13],
  'app/setup/': ["why a project can't be opened, and what helps", 193],
  'app/called-as.ts': ['a command that ralph-gold has under another name', 1],
  'cli/completion/': ['scripts for shells', 13],
  'cli/page/': ['each form owns its question, each page its title', 33],
  'cli/render/': ['titles of tables and pages, and style and script of a page', 43],
  'cli/screen/': ['each key owns its help and its question', 79],
  'cli/': ['questions before a command, and errors of a command line', 51],
  'config/': ['each setting owns what is wrong with it', 131],
  'decide/attempt/': ['told to an agent', 1],
  'decide/choice/': ['reasons of a choice, which its record keeps', 65],
  'decide/finished-record.ts': ['signs for you to check, which the record keeps', 20],
  'decide/gates/': ['why a gate checks nothing, which its finding keeps', 12],
  'decide/human-gate.ts': ['a fact of a request', 1],
  'decide/human-gates.ts': ['errors of the exported module', 2],
  'decide/plan/': ['what is wrong with a plan, told to the planning agent', 28],
  'decide/rooms/': ['causes, which the record keeps', 5],
  'decide/run/': ["why a chat can't answer, which the message keeps", 8],
  'decide/tasks/': ['what was done about a finding, which `explain` shows', 3],
  'decide/timing/': ['how a limit was calculated', 30],
  'decide/verify/': ['remarks of an answer, told to an agent, too', 33],
  'domain/': ['words that deciding rooms put into their records', 242],
  'io/': ['why the world refused, with the value seen', 96],
  'git/': ['what git refused, with the value seen', 110],
  'lab/': ['what a set-up is for', 3],
  'store/': ['what of the records is wrong, with its place', 58],
  'loop/': ['warnings, said where the loop meets what they are about', 124],
  'prompt/': ['told to an agent', 147],
  'proof/': ['findings and their reasons, which the record keeps and agents are told', 201],
  'replay/': ["what can't be compared", 5],
  'respond/': ['decisions and their reasons, which the record keeps and agents are told', 252],
  'state/': ['help of metrics, and what an import means', 32],
};

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
  // A list of words that is split isn't a text.
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
  ['const a = `The task waits for $' + '{other}`;', 1],
  ["const a = 'waits for you';", 0],
  ["import a from 'not one of our texts';", 0],
  ["type A = 'a type is no text';", 0],
  ["const a = 'cat head tail grep sed'.split(' ');", 0],
  ["const a = 'git log --stat -1 HEAD -- src/a.ts';", 0],
] as const)('%s has %i', (text, count) => {
  expect(sentencesIn('a.ts', text)).toHaveLength(count);
});

it('a sentence for the user stands in tell, in a command, or where the list says why', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
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
