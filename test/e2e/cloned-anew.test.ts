/** @module-tag slow */

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { always, claim, makeProject, type Project } from '../helpers/cli.ts';

const GATE = '[[gates.commands]]\nname = "check"\nrun = "test ! -e broken"\n';
const LOSES = always({ action: 'write', path: 'broken', content: '{attempt}\n' }, claim('broken:1'));
const WORKS = always({ action: 'write', path: 'whole', content: 'x\n' }, claim('whole:1'));

/** Returns a project with failed attempts at its task, so that records name trees of the attempts. */
function failedProject(attempts: string, loop = ''): Project {
  const project = makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${loop}${GATE}`,
    '.ralph/scenario.json': LOSES,
  });
  project.ralph('run', '--max-iterations', attempts);
  return project;
}

/** Replaces the git folder by that of a new clone; with `all` also the other files. */
function clonedAnew(project: Project, all: boolean): void {
  const clone = project.path('.git/clone');
  project.git('clone', '-q', '--template=', '--no-local', '.', clone);
  const git = project.path('.git-of-clone');
  renameSync(join(clone, '.git'), git);
  rmSync(project.path('.git'), { recursive: true });
  renameSync(git, project.path('.git'));
  project.remove('broken');
  if (all) {
    rmSync(project.path('.ralph'), { recursive: true });
    project.git('reset', '-q', '--hard');
  }
  project.write('.ralph/scenario.json', WORKS);
  project.commitAll('anew');
}

it.each([
  ['a fresh clone in the same place', true],
  ['a git folder cloned anew', false],
])('works on in %s', (_, all) => {
  const project = failedProject('1');
  clonedAnew(project, all);
  const { code, stdout, stderr } = project.ralph('run');
  expect(stdout + stderr).toContain('This repository no longer holds what earlier attempts left in it');
  expect(code, stdout + stderr).toBe(0);
  expect(project.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
  // The notice is printed in one run, not in each.
  expect(project.ralph('run').stdout).not.toContain('no longer holds');
});

it('begins anew where the history is another one, and names what it found once', () => {
  const project = failedProject('1');
  rmSync(project.path('.git'), { recursive: true });
  project.remove('broken');
  project.write('.ralph/scenario.json', WORKS);
  project.git('init', '-q', '-b', 'main', '--template=');
  project.write('mine.txt', 'another history\n');
  project.git(
    'add',
    '-f',
    '.ralph/PRD.md',
    '.ralph/ralph.toml',
    '.ralph/scenario.json',
    'README.md',
    'mine.txt',
  );
  project.git('commit', '-qm', 'anew');
  const { code, stdout, stderr } = project.ralph('run');
  const output = (stdout + stderr).replace(/\s+/g, ' ');
  expect(output).toContain('This is another repository than the one that was here before');
  expect(output.match(/wasn't written by ralph here/g)).toHaveLength(1);
  expect(output).not.toContain('was put back');
  expect(code, output).toBe(0);
});

it('gives back a task whose work was set aside in the folder that is gone', () => {
  const project = failedProject('2', 'max_attempts_per_task = 2\n');
  clonedAnew(project, false);
  expect(project.ralph('diff', 'T-1').stdout).toContain('+++ b/broken');
  expect(project.ralph('checkpoints', 'apply', 'kept/1').code).toBe(2);
  expect(project.ralph('unblock', 'T-1').code).toBe(0);
  expect(project.ralph('run').code).toBe(0);
});
