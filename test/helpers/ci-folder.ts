import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRepository } from './repository.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A program in place of npm and npx: for a run of tests it writes the report that lies beside it, and ends with the
 * exit code there.
 */
const RUNNER = `#!/usr/bin/env node
const { copyFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
const name = args[0] === 'run' ? args[1].split(':').at(-1) : { test: 'usual', vitest: 'slow' }[args[0]] ?? args.at(-1);
const report = args.find((arg) => arg.startsWith('--outputFile.json='))?.split('=')[1];
const there = (file) => existsSync(join(__dirname, file));
if (report !== undefined && there(name + '.json')) copyFileSync(join(__dirname, name + '.json'), report);
console.log('ran', ...args.filter((arg) => !arg.startsWith('--outputFile')));
process.exitCode = there(name + '.code') ? Number(readFileSync(join(__dirname, name + '.code'), 'utf8')) : 0;
`;

type Report = { readonly passed: number; readonly failed?: number; readonly skipped?: number };

/** Returns a report of the test runner; `unloadable`: number of files that failed before their first test. */
export function reportOf({ passed, failed = 0, skipped = 0 }: Report, unloadable = 0): string {
  const tests = Array.from({ length: failed }, () => ({ status: 'failed' }));
  const file = { status: failed > 0 ? 'failed' : 'passed', assertionResults: tests };
  return JSON.stringify({
    ...{ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: 0 },
    testResults: [file, ...Array(unloadable).fill({ status: 'failed', assertionResults: [] })],
  });
}

/** Programs that `.ci/run` and the workflow start. Those that tests need exist, so that nothing is installed. */
const PROGRAMS = ['npm', 'npx', 'sudo', 'promtool', 'bwrap', 'zsh', 'fish', 'redis-server'];

/**
 * Makes a checkout with `.ci/run`, and an environment in which its programs give these answers (file texts by name).
 */
export function ciFolder(answers: Readonly<Record<string, string>>) {
  const repository = makeRepository({});
  for (const name of ['.ci', 'scripts', '.github'])
    cpSync(join(ROOT, name), repository.path(name), { recursive: true });
  for (const name of PROGRAMS) repository.write(`programs/${name}`, RUNNER, 0o755);
  for (const [name, text] of Object.entries(answers)) repository.write(`programs/${name}`, text);
  const PATH = `${repository.path('programs')}${delimiter}${process.env.PATH}`;
  return { ...repository, env: { ...process.env, PATH } };
}
