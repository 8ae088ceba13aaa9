/** @module-tag rest */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { isHere } from '../helpers/canary/play.ts';
import { always, claim, makeProject } from '../helpers/cli.ts';

const RUNNERS = join(import.meta.dirname, '../fixtures/runners');
const CONFIG = '[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "test", run = "sh test.sh" }]\n';
/** This test command prints the recorded output that a settings file names, and ends with 0, as the runner did. */
const TEST = 'cat "recorded/$(cat runner.conf).txt"\n';

/** Returns a project whose agent does its task, and points the settings of its tests elsewhere. */
function projectOf(runner: string, before: string, after: string) {
  const recorded = Object.fromEntries(
    [before, after].map((one) => [
      `recorded/${one}.txt`,
      readFileSync(join(RUNNERS, runner, `${one}.txt`), 'utf8'),
    ]),
  );
  const settings: ScenarioAction[] =
    before === after ? [] : [{ action: 'write', path: 'runner.conf', content: after }];
  return makeProject({
    ...recorded,
    'runner.conf': before,
    'test.sh': TEST,
    'src/old.js': 'fine\n',
    '.ralph/ralph.toml': CONFIG,
    '.ralph/scenario.json': always(
      { action: 'write', path: 'src/new.js', content: 'export const one = 1;\n' },
      ...settings,
      claim('src/new.js:1 works'),
    ),
  });
}

// You decide about missing tests (exit 5); what the agent can fix is in its feedback.
describe.concurrent('a gate that ends with 0 is not passed by what its runner says', () => {
  it.each([
    ['uvu', 'f', 'b2', 'no test ran (before: 3 passed)'],
    ['tape', 'f', 'b2', 'no test ran (before: 3 passed)'],
    ['vitest', 'f', 'c', 'all its tests are skipped (before: 3 passed)'],
    ['tstyche', 'f', 'd', '2 tests that ran before are gone (before: 3 passed; now: 1 passed)'],
    ['jest', 'f', 'e', '2 tests that ran before are gone (before: 3 passed; now: 1 passed, 2 skipped)'],
    ['vitest', 'f', 'd', 'test/a.test.js could not be loaded'],
    ['phpunit', 'f', 'b', 'no test ran (before: 3 passed)'],
    ['test-unit', 'f', 'c', 'all its tests are skipped (before: 3 passed)'],
  ])('%s, %s → %s: %s', async (runner, before, after, why) => {
    const project = projectOf(runner, before, after);
    const { code, stdout } = await project.start('run', '--max-iterations', '1').ended;
    expect({ code, stdout }).toMatchObject({ code: why.includes('loaded') ? 3 : 5 });
    expect(stdout.replace(/\s+/g, ' ')).toContain(`✖ test (passes, but ${why})`);
    const [judgement] = project.iteration(1).decisions.gateReport.judgements;
    expect(judgement).toMatchObject({ name: 'test', standing: 'tests_missing', counts: true, why });
    expect(project.read('.ralph/PRD.md')).toContain('[ ]');
  });

  it.each([
    ['vitest', 'f', 'f'],
    ['jest', 'e', 'e'],
    ['vitest', 'c', 'c'],
    ['uvu', 'b2', 'f'],
    ['mocha', 'b2', 'c'],
    ['vitest', 'd', 'd'],
  ])("and is where %s wasn't better before: %s → %s", async (runner, before, after) => {
    const project = projectOf(runner, before, after);
    const { code, stdout } = await project.start('run', '--max-iterations', '1').ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(project.read('.ralph/PRD.md')).toContain('[x]');
  });

  it('nor where it ends so although tests fail', async () => {
    const project = projectOf('tcltest', 'f', 'a');
    const { code, stdout } = await project.start('run', '--max-iterations', '1').ended;
    expect({ code, stdout }).toMatchObject({ code: 3 });
    const [judgement] = project.iteration(1).decisions.gateReport.judgements;
    expect(judgement).toMatchObject({ standing: 'regression', outcome: { kind: 'failed', exitCode: 0 } });
  });
});

describe.skipIf(!isHere('ctest', '--version'))('a test that is taken out of the list of CTest', () => {
  it('is not made up for by a new one', async () => {
    const list = (...names: string[]) =>
      `cmake_minimum_required(VERSION 3.10)\nproject(sums NONE)\nenable_testing()\n${names
        .map((name) => `add_test(NAME ${name} COMMAND grep -q fine \${CMAKE_SOURCE_DIR}/src/${name}.txt)\n`)
        .join('')}`;
    const project = makeProject({
      'CMakeLists.txt': list('adds', 'subtracts'),
      'src/adds.txt': 'fine\n',
      'src/subtracts.txt': 'fine\n',
      '.gitignore': 'build\n',
      '.ralph/ralph.toml': CONFIG.replace('sh test.sh', 'cmake -S . -B build && ctest --test-dir build'),
      '.ralph/scenario.json': always(
        { action: 'write', path: 'src/subtracts.txt', content: 'broken\n' },
        { action: 'write', path: 'src/divides.txt', content: 'fine\n' },
        { action: 'write', path: 'CMakeLists.txt', content: list('adds', 'divides') },
        claim('src/divides.txt:1 works'),
      ),
    });
    const { code, stdout } = await project.start('run', '--max-iterations', '1').ended;
    expect({ code, stdout }).not.toMatchObject({ code: 0 });
    expect(project.read('.ralph/PRD.md')).toContain('[ ]');
  });
});
