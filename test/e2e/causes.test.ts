/** @module-tag slow */

import { expect, it } from 'vitest';
import { claim, type Project, write } from '../helpers/cli.ts';
import { at, inAttempt, night } from '../helpers/night.ts';

const TEST = "it('adds', () => {\n  assert.equal(1 + 1, 2);\n});\n";

/** This gate fails like a compiler where a file has `broken` in it; for part 4 it fails once, with other words. */
const CHECK = [
  'for file in src/*.ts; do',
  '  test -e "$file" || continue',
  '  if grep -q broken "$file"; then',
  '    echo "> tsc --noEmit"',
  '    echo "$file(1,14): error TS2304: Cannot find name \'broken\'."',
  '    exit 2',
  '  fi',
  'done',
  'if grep -qs "the first" src/T-4.ts; then echo "Error: port 4711 is taken"; exit 1; fi',
].join('\n');

const done = (task: string) => claim(`src/${task}.ts:1 it`);

/** Returns a project after a run. A done task stands between those that fail, because three failed tasks in a row end a run. */
function played(): Project {
  const one = night(
    'Write part 1',
    'Write part 2',
    '**T-4** Write part 4',
    '**T-3** Write part 3',
    'Write part 5',
    'Drop the old checks',
  )
    .agent(
      ...['T-1', 'T-2', 'T-3'].map((task) =>
        at(task, write(`src/${task}.ts`, 'export const a = broken;\n'), done(task)),
      ),
      inAttempt('T-4', 1, write('src/T-4.ts', '// the first\n'), done('T-4')),
      at('T-4', write('src/T-4.ts', 'export const a = 4;\n'), done('T-4')),
      at('T-5', write('src/T-5.ts', 'export const a = 5;\n'), { action: 'sleep', seconds: 30 }),
      at(
        'T-6',
        write('src/T-6.ts', 'export const a = 6;\n'),
        { action: 'delete', path: 'sum.test.js' },
        done('T-6'),
      ),
    )
    .loop('max_attempts_per_task = 2')
    .toml(
      '[git]\ncommit = "never"',
      '[modes.speed]\ntimeout = 8',
      '[adaptive_timeout]\nmin_timeout = 1\nenabled = false',
      '[gates]\ncommands = [{ name = "build", run = "sh check.sh" }]',
    )
    .files({ 'check.sh': `${CHECK}\n`, 'sum.test.js': TEST })
    .make();
  expect(one.ralph('run').code).not.toBe(0);
  return one;
}

/** Replaces times, sizes and commits, which differ from night to night. */
function steady(text: string): string {
  return text
    .replace(/r-\d{8}-\d{6}-\w+/g, 'r-RUN')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?|\b\d\d:\d\d(?::\d\d)?\b/g, 'TIME')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, 'N s')
    .replace(/--timeout \d+/g, '--timeout N')
    .replace(/\b[0-9a-f]{10}\b/g, 'COMMIT');
}

const screen = (name: string) => `../golden/night-${name}.txt`;

/** Returns the text without the marks of a terminal, and with lines as they would be at any width. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

it('a night with undone tasks says why, where, and what to run', async () => {
  const one = played();
  const report = one.ralph('report').stdout;
  const text = flat(report);
  for (const line of report.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  // Three tasks fail for one cause, and the report says it once.
  expect(text).toContain('Gate "build" fails; it passed before the work: src/T-1.ts(1,14): error TS2304');
  expect(text).toContain('✖ T-1 Write part 1 ✖ T-2 Write part 2 ✖ T-3 Write part 3 Failed 2 times.');
  expect(text.match(/TS2304/g)).toHaveLength(1);
  expect(text).toMatch(/T-5 Write part 5 .*time/);
  expect(text).toMatch(/T-6 Drop the old checks .*1 test removed/);
  expect(text).toContain('ralph approvals');

  // The commands that the list suggests do what they promise.
  const [, number] = /ralph logs (\d+) --failed/.exec(flat(one.ralph('blocked', '--suggest').stdout)) ?? [];
  const failed = one.ralph('logs', number ?? '', '--failed').stdout;
  expect(failed).toContain("error TS2304: Cannot find name 'broken'.");
  expect(failed).not.toContain('RALPH_STATUS');
  expect(flat(one.ralph('blocked', '--suggest').stdout)).toContain('Fix src/T-1.ts:1 or reword the task');
  expect(flat(one.ralph('status').stdout)).toContain('src/T-1.ts(1,14): error TS2304');
  expect(flat(one.ralph('explain', 'T-1').stdout)).toContain('src/T-1.ts(1,14): error TS2304');
  const { report: markdown } = { report: one.ralph('report', '--format', 'markdown').stdout };
  expect(markdown).toContain('error TS2304');
  const { unfinished } = one.json('report');
  expect(
    unfinished.map(({ id, failing, same_as }: Record<string, { gate: string } | string[] | string>) => [
      id,
      (failing as { gate: string } | null)?.gate ?? null,
      same_as,
    ]),
  ).toEqual([
    ['T-1', 'build', []],
    ['T-2', 'build', ['T-1']],
    ['T-3', 'build', ['T-1', 'T-2']],
    ['T-5', null, []],
    ['T-6', null, []],
  ]);

  await expect(steady(report)).toMatchFileSnapshot(screen('report'));
  await expect(steady(one.ralph('blocked', '--suggest').stdout)).toMatchFileSnapshot(screen('blocked'));
  await expect(steady(one.ralph('status').stdout)).toMatchFileSnapshot(screen('status'));
});

it('each command of the report has the effect that it promises', () => {
  const one = played();
  const report = flat(one.ralph('report').stdout);
  const statusOf = (id: string) =>
    one.json('tasks').tasks.find((task: { id: string }) => task.id === id)?.status;

  // The work of T-5 is where the report says that it is.
  expect(report).toContain('Its work is kept: ralph take T-5');
  const [, log = ''] = /T-5 .*? ralph logs (\d+)/.exec(report) ?? [];
  expect(flat(one.ralph('logs', log).stdout)).toContain('its timeout');
  expect(one.ralph('unblock', 'T-5', '--timeout', '60').code).toBe(0);
  expect(statusOf('T-5')).toBe('open');
  expect(flat(one.ralph('explain', 'T-5').stdout)).toContain('60 s');

  expect(report).toContain('1 test removed (sum.test.js)');
  const [, gate = ''] = /(G-\d+)/.exec(report) ?? [];
  expect(one.ralph('approvals', 'decide', gate, 'reject', '--reason', 'keep the tests').code).toBe(0);
  expect(one.json('approvals').open).toEqual([]);

  expect(one.ralph('unblock', 'T-1', 'T-2', 'T-3').code).toBe(0);
  expect(['T-1', 'T-2', 'T-3'].map(statusOf)).toEqual(['open', 'open', 'open']);
});
