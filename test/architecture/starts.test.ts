import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Who may start programs, threads or modules other than by `start-program.ts`. Each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'cli/start.ts': 'a script of ralph itself, which the build puts beside it',
  'app/setup/own-copy.ts': 'ralph itself, from its copy in the state home',
  '../packages/kit/src/programs/start/start-program.ts': 'the one that starts programs',
  'git/porcelain.ts':
    'simple-git starts the git that ownProgram found, with all that settings name turned off',
  'app/demo/play.ts': 'the scripted agent, a program of its own, which is started as agents are',
};

/** Modules by which a program, a thread or text is started. */
const STARTING =
  /^(?:node:)?(?:child_process|worker_threads|cluster|vm|module|inspector\/promises)$|^(?:execa|simple-git)$/;
/** Words of which most files have none, so that only others are parsed. */
const WORDS =
  /child_process|worker_threads|cluster|vm|module|execa|simple-git|import\(|require|Function|eval|dlopen/;
/** Functions that run text or load a file. */
const RUNNING = new Set(['eval', 'Function', 'require', 'createRequire', 'dlopen', 'binding', 'Worker']);

/** Returns what in a source file starts a program or runs text. */
function startsIn(text: string): string[] {
  if (!WORDS.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const from = node.moduleSpecifier;
      const isType = ts.isImportDeclaration(node) ? isOfTypes(node.importClause) : node.isTypeOnly;
      if (from !== undefined && ts.isStringLiteral(from) && !isType && STARTING.test(from.text))
        found.push(from.text);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const [first] = node.arguments ?? [];
      const { expression } = node;
      if (expression.kind === ts.SyntaxKind.ImportKeyword) {
        // A file of the program itself, or a package that is built into it.
        const name = first !== undefined && ts.isStringLiteral(first) ? first.text : null;
        if (name === null || STARTING.test(name)) found.push(`import(${name ?? first?.getText()})`);
      }
      const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
      if (RUNNING.has(called)) found.push(called);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

function isOfTypes(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  const { namedBindings: named } = clause;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

it('all that ralph starts, it starts in one place, or here is the reason', () => {
  const starting = sourceFiles().filter((path) => startsIn(readFileSync(join(SRC, path), 'utf8')).length > 0);
  expect(starting.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

/** Who calls `fetch`. Each with its reason. */
const SENDS_REQUESTS: Readonly<Record<string, string>> = {
  '../packages/task-lists/src/services/ask-service.ts': 'asks Jira and Linear, at the address that you set',
  'cli/render/page/page-script.ts': 'the page in your browser sends its own forms',
  'git/fleet/open-remote.ts': "its own function, which runs git's fetch",
  'io/notify/request.ts': 'sends notifications, to the addresses that you set',
};

it('requests are sent in few places, or here is the reason', () => {
  const sending = sourceFiles().filter((path) =>
    /^(?!\s*(?:\/\/|\/?\*)).*\bfetch\(/m.test(readFileSync(join(SRC, path), 'utf8')),
  );
  expect(sending.toSorted()).toEqual(Object.keys(SENDS_REQUESTS).toSorted());
});

/** Who may start a gate, a check or a set-up other than by `lab`. Each with its reason. */
const RUNS_COMMANDS: Readonly<Record<string, string>> = {
  'lab/start.ts': 'the one that starts them',
  'io/proc/open-proc.ts': 'the port',
  'io/notify/run-shell.ts': 'the command of a notification, which says nothing of a tree',
  'app/setup/init/try-gates.ts': 'there is no project yet: it tries what it found',
};

it('gates, checks and what sets a copy up are started in one place, or here is the reason', () => {
  const texts = sourceFiles().map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
  const starting = texts.filter(({ text }) =>
    /(?<!function )\brunGate\(/.test(text.replace(/^ {2}runGate\(.*;$/m, '')),
  );
  expect(starting.map(({ path }) => path).toSorted()).toEqual(Object.keys(RUNS_COMMANDS).toSorted());
  const byStart = texts.filter(({ text }) => /import [^;]*\bstart\b[^;]* from '[^']*\/start\.ts'/.test(text));
  expect(byStart.map(({ path }) => path).filter((path) => !path.startsWith('lab/'))).toEqual([]);
});

it.each([
  "import { spawn } from 'node:child_process';",
  "import { type ChildProcess, execFile } from 'child_process';",
  "import * as all from 'node:worker_threads';",
  "import { execa } from 'execa';",
  "export { fork } from 'node:child_process';",
  "const { execa } = await import('execa');",
  'const module = await import(url);',
  "const module = await import('./' + name);",
  "const fs = require('node:child_process');",
  'process.dlopen(module, path);',
  'new Worker(text, { eval: true });',
  'new Function(text)();',
  'globalThis.eval(text);',
])('is found: %s', (text) => expect(startsIn(text)).not.toEqual([]));

it.each([
  "import type { ChildProcess } from 'node:child_process';",
  "import { type ExecaError } from 'execa';",
  "const { parse } = await import('yaml');",
  "const { run } = await import('../commands/run.ts');",
  'const text = "import { spawn } from \'node:child_process\'";',
  '/child_process/.test(text);',
])('is nothing that starts: %s', (text) => expect(startsIn(text)).toEqual([]));
