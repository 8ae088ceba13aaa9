/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { flakyIn, gatesPassedElsewhere } from '../../src/domain/command-runs.ts';
import { isOfAgentsCopy } from '../../src/domain/gate-baseline.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import {
  clampProject,
  code,
  DEAD,
  FAILING,
  GONE,
  HEAD,
  KEEPS,
  RIGHT,
  runOf,
  STAND_INS,
  TITLE,
} from '../helpers/clamp-project.ts';
import type { ProjectFiles } from '../helpers/cli.ts';
import { write } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

describe('a gate that passes and shows nothing', () => {
  it.each(DEAD)('is dead where %s', (_what, actions) => {
    const { verdict, text, decisions } = runOf(actions);
    expect(verdict, text).not.toBe('done');
    if (decisions.gateReport.status === 'failed' && decisions.gateReport.judgements[0]?.standing === 'dead')
      expect(text).toContain(`Gate "test" can't fail any more`);
  });

  it.each(GONE)('is not believed where the failing test is %s', (_what, actions) => {
    const { verdict, text } = runOf(actions);
    expect(verdict, text).not.toBe('done');
  });

  it.each(STAND_INS)(
    'is not believed where the failing test alone was changed, to run %s',
    (_what, actions) => {
      const { verdict, text } = runOf(actions, FAILING);
      expect(verdict, text).toBe('incomplete');
      expect(text).toContain('the test "clamp bounds what is above" still fails as it was');
    },
  );
});

describe('work that needs a package', () => {
  const NEEDS = [
    code("import { bound } from 'bound';\nexport const clamp = (x, low, high) => bound(x, low, high);\n"),
    write('node_modules/bound/package.json', '{ "name": "bound", "type": "module", "main": "index.js" }\n'),
    write('node_modules/bound/index.js', RIGHT.replace('clamp', 'bound')),
  ];
  const WITHOUT: ProjectFiles = { '.gitignore': 'node_modules/\n', 'test/clamp.test.js': HEAD + KEEPS };
  const named = write('package.json', '{ "type": "module", "dependencies": { "bound": "^1.0.0" } }\n');

  it('is done where it names it and no lock file does, by the copy that it was installed in, which is said', () => {
    const own = write('src/{task}.js', 'export const x = 1;\n');
    const { verdict, text, facts, proof, ralph, iteration } = runOf([...NEEDS, named, own], {
      ...WITHOUT,
      '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** ${TITLE}\n- [ ] **T-2** Clamp once more\n`,
    });
    expect(verdict, text).toBe('done');
    expect(proof).toMatchObject({ grade: 'gates', witnesses: [{ standing: 'unknown', failToPass: [] }] });
    expect(gatesPassedElsewhere(facts)).toEqual([{ gate: 'test', ignored: ['node_modules'], decides: true }]);
    expect(text).toContain(`gate "test" ran in the agent's copy, with what it installed there`);
    // Your checkout hasn't installed the new package, so the next task's gate runs in the agent's copy, too.
    ralph('run', '--max-iterations', '1');
    const next = iteration(2);
    expect(isOfAgentsCopy(next.facts.baseline, 'test')).toBe(true);
    expect(next.decisions).toMatchObject({ verdict: { kind: 'done' }, proof: { grade: 'gates' } });
  });

  it.each<[string, ScenarioAction[], ProjectFiles]>([
    ['it names none', NEEDS, {}],
    [
      'a lock file says what is installed',
      [...NEEDS, named],
      { 'package-lock.json': '{ "name": "a", "lockfileVersion": 3, "packages": { "": { "name": "a" } } }\n' },
    ],
    [
      "what makes the difference isn't a package",
      [code(RIGHT), named, write('local/answer', '5\n')],
      {
        '.gitignore': '/local/\n',
        'test/clamp.test.js': `${HEAD}import { existsSync } from 'node:fs';\ntest('clamp keeps what is inside', () => assert.ok(existsSync('local/answer') || clamp(9, 0, 5) === 9));\n`,
      },
    ],
  ])('is not done where %s', (_what, actions, files) => {
    const { verdict, text } = runOf(actions, { ...WITHOUT, ...files });
    expect(verdict, text).toBe('gates_failed');
    expect(text).toContain('passes only with what git ignores: ');
  });
});

describe('what gates need of what git ignores', () => {
  const READS = `${HEAD}import { readFileSync } from 'node:fs';\nconst { low } = JSON.parse(readFileSync('local/config.json', 'utf8'));\ntest('clamp keeps what is inside', () => assert.equal(clamp(3, low, 5), 3));\n`;

  it('is found, and given to them from the checkout', () => {
    const made = clampProject([code(RIGHT)], { 'test/clamp.test.js': READS });
    made.write('local/config.json', '{ "low": 0 }\n');
    made.write('local2/other.json', '{}\n');
    const { code: exit, stdout, stderr } = made.ralph('run', '--max-iterations', '1');
    expect(exit, stdout + stderr).toBe(0);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('keep = ["local"]');
    expect(made.iteration(1).facts.baseline).toMatchObject({
      needs: { keep: ['local'], build: null },
      runs: expect.arrayContaining([
        expect.objectContaining({ name: 'test', outcome: { kind: 'passed' }, place: 'clean' }),
      ]),
    });
  });

  it('is built, where the project has a build that makes it', () => {
    const built = `${HEAD.replace('../src/', '../local/')}${KEEPS}`;
    const made = clampProject([code(RIGHT)], {
      'package.json':
        '{ "type": "module", "scripts": { "build": "mkdir -p local && cp src/clamp.js local/" } }\n',
      'test/clamp.test.js': built,
    });
    made.write('local/clamp.js', 'export const clamp = (x) => x;\n');
    const { code: exit, stdout, stderr } = made.ralph('run', '--max-iterations', '1');
    expect(exit, stdout + stderr).toBe(0);
    expect(made.iteration(1).facts.baseline?.needs).toEqual({ keep: [], build: 'npm run build' });
  });
});

describe('work without a test of its own', () => {
  it('is done without a test that shows it, with a lower grade, and is not where more is required', () => {
    const refactored = [code('export function clamp(x, low, high) {\n  return x;\n}\n')];
    const passing: ProjectFiles = { 'test/clamp.test.js': HEAD + KEEPS };
    const done = runOf(refactored, passing);
    expect(done.verdict, done.text).toBe('done');
    expect(done.proof.grade).toBe('gates');
    const required = runOf(refactored, passing, '[proof]\nrequire = "tests"\n');
    expect(required.verdict).not.toBe('done');
    expect(required.text).toContain('add a test that fails without your change');
  });
});

it('a red gate that is green the second time is flaky, and does not count', () => {
  const outside = temporaryFolder();
  const flaky = `${HEAD}import { mkdirSync } from 'node:fs';\n${KEEPS}test('clamp is quick', () => {\n  if (clamp(10, 0, 5) !== 5) return;\n  let isFirst = true;\n  try {\n    mkdirSync('${outside}/seen');\n  } catch {\n    isFirst = false;\n  }\n  assert.equal(isFirst, false);\n});\n`;
  const { verdict, text, facts } = runOf(
    [code(RIGHT)],
    { 'test/clamp.test.js': flaky },
    `[box]\nwritable = ["${outside}"]\n`,
  );
  expect(verdict, text).toBe('done');
  expect(flakyIn(facts)).toEqual(['test']);
  expect(text).toContain('gate "test" failed once and passed on the same files');
});
