/** @module-tag rest */

import { expect, it } from 'vitest';
import { makeProject, type Project } from '../helpers/cli.ts';
import { openTestGit } from '../helpers/open-test-git.ts';

/** Returns a project with a checkpoint of an iteration, one that a rollback kept, and newer work. */
async function withCheckpoints(): Promise<Project> {
  const project = makeProject({ 'a.txt': 'one\n' });
  const git = await openTestGit(project.root);
  const first = await git.snapshot();
  await git.checkpoint('r-1', 1, first);
  project.write('a.txt', 'two\n');
  await git.keep((await git.snapshot()).tree, 'policy checkpoint of r-1', 'saved');
  await git.keep((await git.snapshot()).tree, 'work of T-1');
  project.write('a.txt', 'three\n');
  return project;
}

it('lists checkpoints, with how long they are kept', async () => {
  const project = await withCheckpoints();
  const { checkpoints, exit_code } = project.json('checkpoints');
  expect(exit_code).toBe(0);
  const seen = checkpoints.map(({ id, kept, note }: Record<string, unknown>) => ({ id, kept, note }));
  expect(seen).toHaveLength(3);
  expect(seen).toContainEqual({ id: 'r-1/1', kept: false, note: 'before iteration 1 of run r-1' });
  expect(seen).toContainEqual({ id: 'saved/1', kept: true, note: 'policy checkpoint of r-1' });
  // The work of a task is listed under the task's name.
  expect(seen).toContainEqual({ id: 'T-1', kept: true, note: 'work of T-1' });
  const { stdout } = project.ralph('checkpoints', 'list');
  expect(stdout).toMatch(/^saved\/1 +\d\d:\d\d {2}policy checkpoint of r-1 \(until you drop it\)$/m);
  expect(stdout).toMatch(/^T-1 +\d\d:\d\d {2}work of T-1 \(until you drop it\)$/m);
  expect(stdout).toMatch(/^r-1\/1 +\d\d:\d\d {2}before iteration 1$/m);
});

it('shows one, and what differs from it', async () => {
  const project = await withCheckpoints();
  expect(project.json('checkpoints', 'show', 'T-1')).toMatchObject({
    checkpoint: { id: 'T-1', kept: true },
  });
  expect(project.ralph('checkpoints', 'show', 'r-1/1').stdout).toContain(
    'Nothing in it differs from that HEAD.',
  );
  const now = project.ralph('checkpoints', 'diff', 'r-1/1').stdout;
  expect(now.split('\n').slice(-4)).toEqual(['@@ -1 +1 @@', '-one', '+three', '']);
  const { patch, from, to, cut } = project.json('checkpoints', 'diff', 'T-1', 'r-1/1');
  expect({ from, to, cut }).toEqual({ from: 'T-1', to: 'r-1/1', cut: false });
  expect(patch).toContain('-two\n+one\n');
  expect(project.ralph('checkpoints', 'diff', 'r-1/1', 'r-1/1').stdout).toBe(
    'There is no difference between r-1/1 and r-1/1.\n',
  );
});

it('forgets one on request, and names the known ones otherwise', async () => {
  const project = await withCheckpoints();
  expect(project.ralph('checkpoints', 'drop', 'T-1').stdout).toBe('Checkpoint T-1 is dropped.\n');
  const again = project.ralph('checkpoints', 'drop', 'T-1');
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('There is no checkpoint T-1.');
  expect(again.stderr).toMatch(/The newest: .*r-1\/1/);
  expect(project.ralph('checkpoints', 'diff').stderr).toMatch(
    /needs the id of a checkpoint\. The newest: .*r-1\/1/,
  );
});

it('says where checkpoints come from when there are none', () => {
  const project = makeProject();
  expect(project.ralph('checkpoints').stdout).toContain('each iteration of a run begins with one');
});
