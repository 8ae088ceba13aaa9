import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ciFolder, reportOf } from '../../helpers/ci-folder.ts';

/** Returns how `.ci/run` ended, and the lines that it printed. */
function played(answers: Readonly<Record<string, string>>, slow = '1/1') {
  const { root, path, env } = ciFolder(answers);
  const all = { ...env, CI_SLOW: slow };
  const { status, stdout } = spawnSync(path('.ci/run'), { cwd: root, env: all, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const USUAL = reportOf({ passed: 10, skipped: 2 });
const REST = reportOf({ passed: 5 });
const SLOW = reportOf({ passed: 3 });
const GREEN = { 'usual.json': USUAL, 'rest.json': REST, 'slow.json': SLOW };

it.each([
  ['all are green', GREEN, '18 passed, 0 failed, 2 skipped', 0],
  [
    'the first fails',
    { ...GREEN, 'usual.json': reportOf({ passed: 9, failed: 1 }), 'usual.code': '1' },
    ...(['17 passed, 1 failed', 1] as const),
  ],
  [
    'the rest fails',
    { ...GREEN, 'rest.json': reportOf({ passed: 4, failed: 1 }), 'rest.code': '1' },
    ...(['17 passed, 1 failed, 2 skipped', 1] as const),
  ],
  [
    'the last fails',
    { ...GREEN, 'slow.json': reportOf({ passed: 1, failed: 2 }), 'slow.code': '1' },
    ...(['16 passed, 2 failed, 2 skipped', 1] as const),
  ],
  [
    'an error belongs to no test',
    { ...GREEN, 'rest.code': '1' },
    ...(['18 passed, 0 failed, 2 skipped', 1] as const),
  ],
  [
    'a file cannot be loaded',
    { ...GREEN, 'slow.json': reportOf({ passed: 3 }, 1), 'slow.code': '1' },
    ...(['18 passed, 1 failed, 2 skipped', 1] as const),
  ],
  [
    'a run ends without a report',
    { 'usual.code': '137', 'rest.json': REST, 'slow.json': SLOW },
    ...(['8 passed, 1 failed', 1] as const),
  ],
  ['a check fails', { ...GREEN, 'lint.code': '1' }, ...(['18 passed, 0 failed, 2 skipped', 1] as const)],
])('the last line is one sum where %s', (_, programs, sum, code) => {
  const { status, lines } = played(programs);
  expect(lines.at(-1)).toBe(sum);
  expect(status).toBe(code);
});

it('runs the checks, what npm test runs, the rest, and all slow tests that install nothing', () => {
  const { lines } = played(GREEN);
  const ran = lines.filter((line) => line.startsWith('ran ')).map((line) => line.slice('ran '.length));
  expect(ran.slice(0, 1)).toEqual(['ci --no-audit --no-fund']);
  expect(ran.slice(1, 5).toSorted()).toEqual(['run dead-code', 'run layers', 'run lint', 'run types']);
  const reporters = '--reporter=default --reporter=json';
  expect(ran.slice(5)).toEqual([
    `test -- ${reporters}`,
    `run test:rest -- ${reporters}`,
    `vitest run --project slow --shard 1/1 ${reporters}`,
  ]);
});

it('leaves the slow tests out where none are asked for', () => {
  const { status, lines } = played({ 'usual.json': USUAL, 'rest.json': REST, 'slow.code': '1' }, '');
  expect(lines.at(-1)).toBe('15 passed, 0 failed, 2 skipped');
  expect(status).toBe(0);
});
