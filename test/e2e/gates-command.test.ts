/** @module-tag rest */

import { expect, it } from 'vitest';
import { claim, makeProject } from '../helpers/cli.ts';

const project = (files: Record<string, string> = {}) =>
  makeProject({
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "types", run = "sh types.sh" }, { name = "test", run = "sh test.sh" }]\n',
    'types.sh': 'true\n',
    'test.sh': 'echo "TAP version 13"; echo "ok 1 - adds"; echo "1..1"\n',
    ...files,
  });

const RED = { 'types.sh': `echo "src/a.ts(3,1): error TS2322: Type 'a'."; exit 2\n` };

it('says which checks are green, and why the others are not', () => {
  const green = project();
  const seen = green.ralph('gates');
  expect(seen).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/✔ types passed.*\n✔ test passed, 1 test/),
  });
  expect(seen.stdout).toContain('All checks pass.');

  const red = project(RED);
  const { code, stdout } = red.ralph('gates');
  expect(code).toBe(1);
  expect(stdout).toContain("src/a.ts(3,1): error TS2322: Type 'a'.");
  expect(stdout).toContain('Checks fail.');
  expect(red.ralph('gates', 'test').code).toBe(0);
  expect(red.json('gates')).toMatchObject({
    green: false,
    gates: [
      { name: 'types', green: false },
      { name: 'test', green: true, tests: { run: 1 } },
    ],
  });
  // The command leaves nothing behind.
  expect(red.git('status', '--porcelain')).toBe('');
});

it('names what there is where a gate is unknown, or none', () => {
  expect(project().ralph('gates', 'tests')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no gate tests. Did you mean test?'),
  });
  const none = makeProject({ '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n' });
  expect(none.ralph('gates')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There are no gates'),
  });
});

it('unblock --run works at what it unblocked, and at nothing else', () => {
  const one = makeProject({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [-] **T-1** Write part 1\n- [ ] **T-2** Write part 2\n',
    '.ralph/scenario.json': JSON.stringify({
      steps: [],
      otherwise: [
        { action: 'write', path: 'src/{task}.ts', content: 'export {};\n' },
        claim('src/{task}.ts:1 it'),
      ],
    }),
  });
  expect(one.json('unblock', 'T-1', '--run')).toMatchObject({ cmd: 'unblock', done_in_run: [{ id: 'T-1' }] });
  expect(one.ralph('status').stdout).toContain('1 of 2 tasks done');
});

it('says nothing of checks that you stopped, and ends as signals do', async () => {
  const stopped = project({ 'test.sh': 'touch begun; exec sleep 60\n' });
  const { child, ended } = stopped.start('gates');
  await stopped.appears('begun');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code, stdout + stderr).toBe(130);
  expect(stdout).not.toContain('All checks pass');
  expect(stderr).toContain('The checks were stopped before their end.');
});
