import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { always, claim, makeProject, type Project } from '../helpers/cli.ts';

const GATE = '[[gates.commands]]\nname = "check"\nrun = "test ! -e broken"\n';
const LOSES = always({ action: 'write', path: 'broken', content: '{attempt}\n' }, claim('broken:1'));
const WORKS = always({ action: 'write', path: 'whole', content: 'x\n' }, claim('whole:1'));

/** A project whose task had attempts that failed, so that records name trees of theirs. */
function failedProject(attempts: string, loop = ''): Project {
  const project = makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${loop}${GATE}`,
    '.ralph/scenario.json': LOSES,
  });
  project.ralph('run', '--max-iterations', attempts);
  return project;
}

/** Its git folder is made anew, and with `all` the whole folder: nothing of ralph's is in a clone. */
function anew(project: Project, all: boolean): void {
  const kept = ['.ralph/PRD.md', '.ralph/ralph.toml', 'README.md'].map((name) => [name, project.read(name)]);
  rmSync(project.path('.git'), { recursive: true });
  project.remove('broken');
  if (all) rmSync(project.path('.ralph'), { recursive: true });
  for (const [name = '', content = ''] of kept) project.write(name, content);
  project.write('.ralph/scenario.json', WORKS);
  project.write('mine.txt', 'anew\n');
  project.git('init', '-q', '-b', 'main', '--template=');
  project.commitAll('anew');
}

it.each([
  ['a fresh clone in the same place', true],
  ['a git folder made anew', false],
])('works on in %s', (_, all) => {
  const project = failedProject('1');
  anew(project, all);
  const { code, stdout, stderr } = project.ralph('run');
  expect(stdout + stderr).toContain('This repository no longer holds what earlier attempts left in it');
  expect(code, stdout + stderr).toBe(0);
  expect(project.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
  // It is said once.
  expect(project.ralph('run').stdout).not.toContain('no longer holds');
});

it('gives back a task whose work was set aside in the folder that is gone', () => {
  const project = failedProject('2', 'max_attempts_per_task = 2\n');
  anew(project, false);
  expect(project.ralph('diff', 'T-1').stdout).toContain('+++ b/broken');
  expect(project.ralph('checkpoints', 'apply', 'kept/1').code).toBe(2);
  expect(project.ralph('unblock', 'T-1').code).toBe(0);
  expect(project.ralph('run').code).toBe(0);
});
