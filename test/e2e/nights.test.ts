/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, type ProjectFiles, write } from '../helpers/cli.ts';
import { runTestGit } from '../helpers/repository.ts';

const CHECK = 'if grep -rn BROKEN src; then echo "the check found it" >&2; exit 7; fi\n';

const CONFIG = `[loop]
agent = "scripted"
max_attempts_per_task = 2

[interventions]
enabled = false

[git]
commit = "on_done"

[gates]
commands = [{ name = "check", run = "sh check.sh" }]
`;

const FILES = {
  'check.sh': CHECK,
  'src/app.js': 'one\ntwo\nthree\n',
  'src/old.js': 'fine\n',
  '.ralph/ralph.toml': CONFIG,
  '.ralph/PRD.md':
    '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write one\n- [ ] **T-2** Write two\n- [ ] **T-3** Write three\n',
};

const git = (root: string, ...args: string[]): string => runTestGit(root, args);

/** Returns a scenario: what the agent does in each attempt at each task. */
function tasks(by: Readonly<Record<string, readonly ScenarioAction[][]>>): string {
  const steps = Object.entries(by).flatMap(([task, attempts]) =>
    attempts.map((actions, index) => ({ when: { task, attempt: index + 1 }, do: actions })),
  );
  return JSON.stringify({ steps });
}

const GOOD = (path: string) => [[write(path, 'fine\n'), claim(`${path}:1 works`)]];

function night(first: readonly ScenarioAction[][], more: ProjectFiles = {}): Project {
  const by = { 'T-1': first, 'T-2': GOOD('src/two.js'), 'T-3': GOOD('src/three.js') };
  return makeProject({ ...FILES, '.ralph/scenario.json': tasks(by), ...more });
}

/** Checks that the innocent tasks are done and committed, and that the check passes on the tree. */
function expectGreen(project: Project): void {
  const result = project.json('status');
  expect(result.tasks).toMatchObject({ done: 2, blocked: 1 });
  expect(project.exists('src/two.js') && project.exists('src/three.js')).toBe(true);
  expect(project.read('src/app.js')).not.toContain('BROKEN');
  expect(git(project.root, 'status', '--porcelain', 'src')).toBe('');
}

describe.concurrent('a poisoned task', () => {
  it('that breaks a file in each attempt goes with its changes, and they come back by one command', async () => {
    const project = night([
      [write('src/app.js', 'BROKEN 1\n'), write('src/extra/deep.js', 'BROKEN too\n'), claim()],
      [
        write('src/app.js', 'BROKEN 2\n'),
        { action: 'delete', path: 'src/old.js' },
        write('src/blob.bin', 'a\u0000b BROKEN'),
        claim(),
      ],
    ]);
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(project.read('src/app.js')).toBe('one\ntwo\nthree\n');
    expect(project.exists('src/old.js')).toBe(true);
    expect(project.exists('src/extra')).toBe(false);
    expect(run.stdout).toContain('ralph take T-1');
    expect(project.ralph('take', 'T-1')).toMatchObject({ code: 0 });
    expect(project.read('src/app.js')).toBe('BROKEN 2\n');
    expect(project.exists('src/old.js')).toBe(false);
    expect(project.read('src/blob.bin')).toBe('a\u0000b BROKEN');
    expect(project.read('src/extra/deep.js')).toBe('BROKEN too\n');
    expect(project.exists('src/two.js')).toBe(true);
  });

  it.each<[string, ScenarioAction[][], Record<string, string | null>]>([
    [
      'three different breakages',
      [
        [write('src/app.js', 'BROKEN 1\n'), claim()],
        [write('src/app.js', 'BROKEN 2\n'), write('src/odd name é.js', 'BROKEN, too\n'), claim()],
        [
          { action: 'delete', path: 'src/old.js' },
          write('src/deep/er/x.bin', '\u0000\u0001 BROKEN'),
          claim(),
        ],
      ],
      {
        'src/app.js': 'BROKEN 2\n',
        'src/odd name é.js': 'BROKEN, too\n',
        'src/old.js': null,
        'src/deep/er/x.bin': '\u0000\u0001 BROKEN',
      },
    ],
    [
      'one breakage and two empty attempts',
      [[write('src/app.js', 'BROKEN\n'), claim()], [claim()], [claim()]],
      { 'src/app.js': 'BROKEN\n' },
    ],
  ])('with %s: the work comes back byte for byte', async (_, attempts, kept) => {
    const config = CONFIG.replace('max_attempts_per_task = 2', 'max_attempts_per_task = 3');
    const project = night(attempts, { '.ralph/ralph.toml': config });
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(project.iterations()).toHaveLength(5);
    expect(project.ralph('take', 'T-1')).toMatchObject({ code: 0 });
    for (const [path, content] of Object.entries(kept))
      expect([path, project.exists(path) ? project.read(path) : null]).toEqual([path, content]);
  });

  it("whose later attempts change nothing doesn't count against another task", async () => {
    const project = night([[write('src/app.js', 'BROKEN\n'), claim()], [claim()]]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    expectGreen(project);
  });

  it('whose agent commits leaves no commit of it on the branch', async () => {
    const project = night([
      [write('src/app.js', 'BROKEN 1\n'), { action: 'commit', message: 'mine', add: ['src'] }, claim()],
      [write('src/app.js', 'BROKEN 2\n'), { action: 'commit', message: 'more', add: ['src'] }, claim()],
    ]);
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(git(project.root, 'log', '--format=%s')).not.toMatch(/^(?:mine|more)$/m);
  });

  it('begins with its kept work once it is unblocked, or without it', async () => {
    const bad = [write('src/app.js', 'BROKEN\n'), write('src/part.js', 'good part\n'), claim()];
    const project = night([bad, bad]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    project.write(
      '.ralph/scenario.json',
      tasks({ 'T-1': [[write('src/app.js', 'fixed\n'), claim('src/app.js:1 works')]] }),
    );
    expect(project.ralph('unblock', 'T-1')).toMatchObject({ code: 0 });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/part.js')).toBe('good part\n');
    expect(git(project.root, 'status', '--porcelain', 'src')).toBe('');
  });

  it('begins afresh with --fresh', async () => {
    const bad = [write('src/app.js', 'BROKEN\n'), write('src/part.js', 'good part\n'), claim()];
    const project = night([bad, bad]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    project.write('.ralph/scenario.json', tasks({ 'T-1': GOOD('src/one.js') }));
    expect(project.ralph('unblock', 'T-1', '--fresh')).toMatchObject({ code: 0 });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.exists('src/part.js')).toBe(false);
  });
});

describe.concurrent('what you change meanwhile', () => {
  it("is yours: uncommitted, it isn't part of what a task begins with", async () => {
    const project = night([[write('src/app.js', 'BROKEN\n'), write('src/more.js', 'BROKEN\n')], [claim()]]);
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    project.write('src/app.js', 'fixed by me\n');
    project.write('src/notes.txt', 'mine\n');
    const second = [[claim()], [claim()]];
    project.write(
      '.ralph/scenario.json',
      tasks({ 'T-1': second, 'T-2': GOOD('src/two.js'), 'T-3': GOOD('src/three.js') }),
    );
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expect(project.read('src/app.js')).toBe('fixed by me\n');
    expect([project.exists('src/notes.txt'), project.exists('src/more.js')]).toEqual([true, false]);
    expect(project.json('status').tasks).toMatchObject({ done: 2, blocked: 1 });
  });

  it('in the task list counts: the work of a task that you remove goes, too', async () => {
    const project = night([[write('src/app.js', 'BROKEN\n')]]);
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    project.write('.ralph/PRD.md', project.read('.ralph/PRD.md').replace('- [ ] **T-1** Write one\n', ''));
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/app.js')).toBe('one\ntwo\nthree\n');
  });
});
