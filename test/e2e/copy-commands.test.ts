/** @module-tag slow */

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attempts, claim, makeProject, write } from '../helpers/cli.ts';

const CONFIG = '[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[git]\ncommit = "on_done"\n';
const FAILS = '[gates]\ncommands = [{ name = "test", run = "! grep -rq broken src" }]\n';

/** Returns a project with a task whose work breaks a gate, so that it ends undone. */
function undone() {
  const project = makeProject({
    '.ralph/ralph.toml': `${CONFIG}${FAILS}`,
    '.gitignore': 'build/\n.cache\n',
    'src/a.js': 'export const a = 1;\n',
    '.ralph/scenario.json': attempts([
      write('src/a.js', 'export const a = broken;\n'),
      write('src/b.js', 'export const b = 2;\n'),
      write('build/out.js', 'built\n'),
      claim('src/b.js:1'),
    ]),
  });
  expect(project.json('run')).toMatchObject({ exit_code: 4 });
  expect(existsSync(project.inCopy('build/out.js'))).toBe(true);
  return project;
}

it('work that ended undone is out of the checkout, shown by diff, and taken where you ask for it', () => {
  const project = undone();
  expect([project.exists('src/b.js'), project.git('status', '--porcelain', 'src')]).toEqual([false, '']);
  expect(project.json('diff', 'T-1').files.map(({ path }: { path: string }) => path)).toEqual([
    'src/a.js',
    'src/b.js',
  ]);
  // Your edit of another line stays: git merges both into the file.
  project.write('src/a.js', '// mine\n\n\n\nexport const a = 1;\n');
  const refused = project.ralph('take', 'T-1');
  expect(refused.code === 0 || /doesn't apply/.test(refused.stderr)).toBe(true);
  project.write('src/a.js', 'another line\n');
  expect(project.ralph('take', 'T-1').stderr.replace(/\s+/g, ' ')).toContain(': src/a.js changed since.');
  project.git('checkout', '-q', '--', 'src/a.js');
  project.git('clean', '-qfd', 'src');
  const index = project.git('ls-files', '-s');
  const taken = project.json('take', 't-1', '--ignored', 'build');
  expect(taken).toMatchObject({ exit_code: 0, taken: 'T-1', paths: ['src/a.js', 'src/b.js', 'build'] });
  expect([project.read('src/b.js'), project.read('build/out.js')]).toEqual([
    'export const b = 2;\n',
    'built\n',
  ]);
  // A file that already has the content of the work isn't a conflict.
  expect(project.ralph('take', 'T-1')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is in your checkout already. Nothing was changed.'),
  });
  expect(project.json('take', 'T-1')).toMatchObject({ exit_code: 0, kept: null, paths: [] });
  // Taking work stages nothing, and what the file held before is kept.
  expect(project.git('ls-files', '-s')).toBe(index);
  expect(project.json('checkpoints').checkpoints.map(({ id }: { id: string }) => id)).toContain(taken.kept);
  expect(project.ralph('take', 'T-7').stderr).toContain('There is no task T-7.');
  // What `ralph take` put aside belongs to no task, and the command that it names shows it.
  const next = `ralph checkpoints diff ${taken.kept}`;
  expect(project.ralph('rollback', taken.kept).stderr).toContain(`Next: ${next}`);
  expect(project.ralph('checkpoints', 'diff', taken.kept)).toMatchObject({ code: 0 });
});

it('names the commands that check what you finished, and have the task done', () => {
  const project = undone();
  const { next } = project.json('take', 'T-1');
  expect(next).toEqual(['ralph verify --dirty --task T-1', 'ralph tasks accept T-1']);
  const { stdout } = project.ralph('take', 'T-1');
  expect(stdout).toContain(`Finish it, then check it: ${next[0]}`);
  expect(stdout).toContain(`When it is done: ${next[1]}`);
  project.write('src/a.js', 'export const a = 2;\n');
  const [check, accept] = next.map((command: string) => command.split(' ').slice(1));
  expect(project.ralph(...check, '--trust').stdout).toContain("verified, weak: what isn't committed");
  expect(project.ralph(...accept)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('T-1 is done, accepted by you'),
  });
  expect(project.read('.ralph/PRD.md')).toContain('- [x] **T-1**');
  project.git('add', '-A');
  project.git('commit', '-qm', 'Finished by hand');
  expect(project.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 0 });
});

it('taking writes over nothing that is in no snapshot', () => {
  const project = undone();
  project.write('.git/info/exclude', 'src/b.js\n');
  project.write('src/b.js', 'mine, and ignored\n');
  const { code, stderr } = project.ralph('take', 'T-1');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('src/b.js is in the way. Nothing was changed.'),
  ]);
  expect([project.read('src/b.js'), project.git('status', '--porcelain', 'src')]).toEqual([
    'mine, and ignored\n',
    '',
  ]);
});

it('the copy is where work path says, until it is cleaned', () => {
  const project = makeProject({
    '.ralph/ralph.toml': CONFIG,
    '.ralph/scenario.json': attempts([write('src/b.js', 'b\n'), claim('src/b.js:1')]),
  });
  expect(project.ralph('work', 'path').code).toBe(1);
  project.ralph('run');
  const { path } = project.json('work', 'path');
  expect(path).toBe(project.inCopy(''));
  expect(project.ralph('work', 'path').stdout.trim()).toBe(path);
  expect(project.ralph('work', 'path', 'T-9').code).toBe(1);
  expect(project.json('work', 'clean')).toMatchObject({ exit_code: 0 });
  expect(existsSync(path)).toBe(false);
  expect(project.git('status', '--porcelain', 'src')).toBe('');
});

it('what you reverted lands again where you ask for it', () => {
  const project = makeProject({
    '.ralph/ralph.toml': CONFIG,
    '.ralph/scenario.json': attempts([write('src/b.js', 'b\n'), claim('src/b.js:1')]),
  });
  expect(project.json('run')).toMatchObject({ exit_code: 0 });
  project.git('revert', '--no-edit', project.git('log', '--format=%H', '--grep=(T-1)$'));
  expect(project.json('land')).toMatchObject({ exit_code: 0, landed: [] });
  expect(project.exists('src/b.js')).toBe(false);
  expect(project.json('land', 'T-1')).toMatchObject({ exit_code: 0, landed: [{ task: 'T-1' }] });
  expect(project.read('src/b.js')).toBe('b\n');
  expect(project.ralph('land', 'T-7').code).toBe(2);
});

it('what lands is marked as done, also where a stash took its mark along', () => {
  const project = makeProject({
    'src/b.js': 'a\n',
    '.ralph/ralph.toml': CONFIG,
    '.ralph/scenario.json': attempts([write('src/b.js', 'b\n'), claim('src/b.js:1')]),
  });
  project.write('src/b.js', 'mine\n');
  project.json('run');
  expect(project.read('src/b.js')).toBe('mine\n');
  project.git('stash', '-q');
  expect(project.read('.ralph/PRD.md')).toContain('[ ] **T-1**');
  expect(project.json('land')).toMatchObject({ exit_code: 0, landed: [{ task: 'T-1' }] });
  expect(project.json('tasks').tasks).toMatchObject([{ id: 'T-1', status: 'done' }]);
  expect(project.git('status', '--porcelain', '.ralph/PRD.md')).toBe('');
});

it('a repository without a commit is told what to do', () => {
  const project = makeProject({ '.ralph/scenario.json': attempts([claim()]) });
  project.git('update-ref', '-d', 'HEAD');
  const { code, stderr } = project.ralph('run');
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain('git add -A && git commit -m Start');
});
