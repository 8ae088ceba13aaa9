/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import { checksIn, gatesIn } from '../../src/domain/command-runs.ts';
import { BOUNDS, code, HEAD, KEEPS, RIGHT, runOf, TITLE, tests } from '../helpers/clamp-project.ts';
import type { ProjectFiles } from '../helpers/cli.ts';
import { write } from '../helpers/cli.ts';

describe('work that shows what it does', () => {
  it('is done, with the tests that fail without it, in the record, in the report and in its commit', () => {
    const { exit, text, proof, git, json } = runOf([code(RIGHT)], {}, '[git]\ncommit = "on_done"\n');
    expect(exit, text).toBe(0);
    expect(proof).toMatchObject({
      grade: 'tests',
      witnesses: [{ gate: 'test', standing: 'alive', failToPass: ['clamp bounds what is above'] }],
      against: [],
    });
    expect(text).toContain('proof: tests');
    expect(git('log', '-2', '--format=%(trailers:key=Ralph-Proof)')).toContain('Ralph-Proof: tests');
    expect(json('report')).toMatchObject({ done_in_run: [{ grade: 'tests' }] });
  });

  it.each([
    ['packages', 'node --test packages/z/test/*.test.js'],
    ['unit', 'TYPE=unit node --test unit/z/test/*.test.js'],
  ])('is seen by the gate of one folder of %s', (folder, command) => {
    const others = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `${folder}/${name}/test/x.test.js`,
        `${HEAD.split('\n')[0]}\ntest('x', () => {});\n`,
      ]),
    );
    const { proof, text } = runOf([write(`${folder}/z/src/clamp.js`, RIGHT)], {
      ...others,
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[[gates.commands]]\nname = "test"\nrun = "${command}"\n`,
      [`${folder}/z/src/clamp.js`]: 'export const clamp = (x, low, high) => x;\n',
      [`${folder}/z/test/clamp.test.js`]: HEAD + KEEPS + BOUNDS,
    });
    expect(proof.witnesses, text).toMatchObject([{ gate: 'test', standing: 'alive' }]);
  });

  it('takes the code back alone where it brings its own test', () => {
    const low = "test('clamp bounds what is below', () => assert.equal(clamp(-1, 0, 5), 0));\n";
    const { proof, facts } = runOf([code(RIGHT), tests(KEEPS + BOUNDS + low)]);
    expect(proof.witnesses[0]?.failToPass).toEqual([
      'clamp bounds what is above',
      'clamp bounds what is below',
    ]);
    expect(facts.commandRuns.map(({ why }) => why)).toEqual([
      'deciding',
      'canary',
      'taken-back',
      'as-demanded',
      'old-tests',
      'broken-code',
    ]);
  });

  it('is done where it corrects the test that was wrong, which is said', () => {
    const wrong = "test('clamp bounds what is above', () => assert.equal(clamp(10, 0, 5), 6));\n";
    const { verdict, text, proof } = runOf([tests(KEEPS + BOUNDS)], {
      '.ralph/PRD.md':
        '# Plan\n\n## Tasks\n\n- [ ] **T-1** The test of clamp expects a wrong value: 5 is right\n',
      'src/clamp.js': RIGHT,
      'test/clamp.test.js': HEAD + KEEPS + wrong,
    });
    expect(verdict, text).toBe('done');
    expect(proof.changedDemands).toEqual(['clamp bounds what is above']);
    expect(text).toContain('changes what tests of before demand');
  });
});

it('names of tests are read as they are printed, whatever the characters around them', () => {
  const { facts } = runOf(
    [code(RIGHT)],
    { 'jest.sh': 'printf "FAIL a.test.js\\n  ● adds\\n\\nTests:       1 failed, 1 total\\n"; exit 1\n' },
    '[[gates.commands]]\nname = "jest"\nrun = "sh jest.sh"\n',
  );
  expect(gatesIn(facts)[1]?.results).toMatchObject({ runners: ['jest'], failing: ['adds'] });
});

describe('checks of a task', () => {
  const withCheck = (check: string): ProjectFiles => ({
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** ${TITLE}\n  - Check: \`${check}\`\n`,
    'test/clamp.test.js': HEAD + KEEPS,
  });
  const CHECK =
    'node -e "import(\'./src/clamp.js\').then((m) => process.exit(m.clamp(10, 0, 5) === 5 ? 0 : 1))"';

  it('raise the grade where they fail before the work and pass after it', () => {
    const { verdict, text, proof, facts } = runOf([code(RIGHT)], withCheck(CHECK));
    expect(verdict, text).toBe('done');
    expect(proof.grade).toBe('tests');
    expect(checksIn(facts)).toMatchObject([
      { before: { kind: 'failed' }, after: { outcome: { kind: 'passed' } } },
    ]);
  });

  it('keep it from being done where they fail after it', () => {
    const { verdict, text } = runOf([code('export const clamp = (x) => x + 0;\n')], withCheck(CHECK));
    expect(verdict).not.toBe('done');
    expect(text).toMatch(/check `node -e .* fails/);
  });
});
