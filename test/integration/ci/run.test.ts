import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeRepository } from '../../helpers/repository.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Stands for npm and npx: it writes the report that lies beside it for a run of the tests, and ends with the code there. */
const RUNNER = `#!/usr/bin/env node
const { copyFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
const name = args.includes('--project') ? 'slow' : args[0] === 'test' ? 'usual' : args.at(-1);
const report = args.find((arg) => arg.startsWith('--outputFile.json='))?.split('=')[1];
const there = (file) => existsSync(join(__dirname, file));
if (report !== undefined && there(name + '.json')) copyFileSync(join(__dirname, name + '.json'), report);
console.log('ran', ...args.filter((arg) => !arg.startsWith('--outputFile')));
process.exitCode = there(name + '.code') ? Number(readFileSync(join(__dirname, name + '.code'), 'utf8')) : 0;
`;

type Report = { readonly passed: number; readonly failed?: number; readonly skipped?: number };

function reportOf({ passed, failed = 0, skipped = 0 }: Report, unloadable = 0): string {
  const tests = Array.from({ length: failed }, () => ({ status: 'failed' }));
  const file = { status: failed > 0 ? 'failed' : 'passed', assertionResults: tests };
  return JSON.stringify({
    ...{ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: 0 },
    testResults: [file, ...Array(unloadable).fill({ status: 'failed', assertionResults: [] })],
  });
}

/** Plays `.ci/run` with programs of a folder. Those that tests need are there, so that nothing is installed. */
function played(programs: Readonly<Record<string, string>>) {
  const { root, write, path } = makeRepository({});
  for (const name of ['.ci', 'scripts']) cpSync(join(ROOT, name), path(name), { recursive: true });
  for (const name of ['npm', 'npx', 'promtool', 'bwrap', 'zsh', 'fish', 'redis-server'])
    write(`programs/${name}`, RUNNER, 0o755);
  for (const [name, text] of Object.entries(programs)) write(`programs/${name}`, text);
  const env = { ...process.env, PATH: `${path('programs')}${delimiter}${process.env.PATH}` };
  const { status, stdout } = spawnSync(path('.ci/run'), { cwd: root, env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const USUAL = reportOf({ passed: 10, skipped: 2 });
const SLOW = reportOf({ passed: 3 });

it.each([
  ['both are green', { 'usual.json': USUAL, 'slow.json': SLOW }, '13 passed, 0 failed, 2 skipped', 0],
  [
    'the first fails',
    { 'usual.json': reportOf({ passed: 9, failed: 1 }), 'usual.code': '1', 'slow.json': SLOW },
    ...(['12 passed, 1 failed', 1] as const),
  ],
  [
    'the second fails',
    { 'usual.json': USUAL, 'slow.json': reportOf({ passed: 1, failed: 2 }), 'slow.code': '1' },
    ...(['11 passed, 2 failed, 2 skipped', 1] as const),
  ],
  [
    'an error belongs to no test',
    { 'usual.json': USUAL, 'slow.json': SLOW, 'slow.code': '1' },
    ...(['13 passed, 0 failed, 2 skipped', 1] as const),
  ],
  [
    'a file cannot be loaded',
    { 'usual.json': USUAL, 'slow.json': reportOf({ passed: 3 }, 1), 'slow.code': '1' },
    ...(['13 passed, 1 failed, 2 skipped', 1] as const),
  ],
  [
    'a run ends without a report',
    { 'usual.code': '137', 'slow.json': SLOW },
    ...(['3 passed, 1 failed', 1] as const),
  ],
  [
    'a check fails',
    { 'usual.json': USUAL, 'slow.json': SLOW, 'lint.code': '1' },
    ...(['13 passed, 0 failed, 2 skipped', 1] as const),
  ],
])('the last line is one sum where %s', (_, programs, sum, code) => {
  const { status, lines } = played(programs);
  expect(lines.at(-1)).toBe(sum);
  expect(status).toBe(code);
});

it('runs the checks, what npm test runs, and all slow tests that install nothing', () => {
  const { lines } = played({ 'usual.json': USUAL, 'slow.json': SLOW });
  const ran = lines.filter((line) => line.startsWith('ran ')).map((line) => line.slice('ran '.length));
  expect(ran.slice(0, 1)).toEqual(['ci --no-audit --no-fund']);
  expect(ran.slice(1, 5).toSorted()).toEqual(['run dead-code', 'run layers', 'run lint', 'run types']);
  const reporters = '--reporter=default --reporter=json';
  expect(ran.slice(5)).toEqual([`test -- ${reporters}`, `vitest run --project slow ${reporters}`]);
});
