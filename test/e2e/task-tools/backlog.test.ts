/** @module-tag installs */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Project, withoutBox } from '../../helpers/cli.ts';
import { installTool, runWith, toolProject, workAt } from '../../helpers/task-tools.ts';

// The tool's own commands make the list and change it, also during a run; ralph does its tasks, and the tool accepts
// every byte.

withoutBox();

const statusesOf = (project: Project) =>
  Object.fromEntries(
    (project.json('tasks').tasks as { id: string; status: string }[]).map(({ id, status }) => [id, status]),
  );

/** Returns the files of a folder by name. */
const filesIn = (project: Project, folder: string) =>
  Object.fromEntries(
    readdirSync(project.path(folder)).map((name) => [name, project.read(`${folder}/${name}`)]),
  );

const backlog = installTool('backlog.md', '1.52.0', 'backlog');
describe.skipIf(backlog.isMissing)(backlog.title, () => {
  const run = (project: Project, ...args: string[]) => backlog.run(project.root, ...args);
  const FOLDER = 'backlog/tasks';
  const doneIn = (files: Readonly<Record<string, string>>, word: string) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        text.replace(/^status: (?:To Do|In Progress)$/m, `status: ${word}`),
      ]),
    );
  const made = () => {
    const project = toolProject();
    run(project, 'init', 'Demo', '--defaults');
    run(project, 'config', 'set', 'remoteOperations', 'false');
    run(
      project,
      'task',
      'create',
      "First: it's #1 [x]",
      '-d',
      'Say "it".\n\n- a bullet',
      '--ac',
      'a, b',
      '-l',
      'ui,bug',
    );
    run(
      project,
      'task',
      'create',
      'Second',
      '--dep',
      'task-1',
      '--ac',
      'one',
      '--ac',
      'two',
      '--priority',
      'high',
    );
    run(project, 'task', 'create', 'Child of the second', '-p', 'task-2');
    return project;
  };

  it('is worked off while the tool edits, creates and archives, and the tool lists all of it as done', async () => {
    const project = made();
    run(project, 'task', 'create', 'Given away', '--ac', 'none');
    workAt(project, FOLDER);
    let written: Record<string, string> = {};
    const result = await runWith(project, () => {
      run(project, 'task', 'edit', '2', '--append-notes', 'by hand', '--check-ac', '1');
      run(project, 'task', 'create', 'Added meanwhile', '--dep', 'task-2');
      run(project, 'task', 'archive', '3');
      written = filesIn(project, FOLDER);
    });
    expect(result.exit_code).toBe(0);
    expect(filesIn(project, FOLDER)).toEqual(doneIn(written, 'Done'));
    const listed = run(project, 'task', 'list', '--plain');
    expect(listed).not.toMatch(/^To Do:|^In Progress:/m);
    for (const title of ["First: it's #1 [x]", 'Second', 'Child of the second', 'Added meanwhile'])
      expect(listed).toContain(title);
    expect(run(project, 'doctor')).toContain('No duplicate IDs');
    expect(project.exists('made/TASK-3.txt')).toBe(false);
  });

  it('begins again what the tool opened since, and the tool accepts that, too', async () => {
    const project = made();
    workAt(project, FOLDER);
    expect((await runWith(project, null)).exit_code).toBe(0);
    run(project, 'task', 'edit', '2', '-s', 'To Do', '--ac', 'a third');
    run(project, 'task', 'create', 'Later', '-s', 'In Progress');
    project.commitAll('by the tool');
    expect(statusesOf(project)).toMatchObject({ 'TASK-2': 'open', 'TASK-3': 'in_progress' });
    const before = filesIn(project, FOLDER);
    expect((await runWith(project, null)).exit_code).toBe(0);
    expect(filesIn(project, FOLDER)).toEqual(doneIn(before, 'Done'));
    expect(run(project, 'task', 'list', '--plain')).not.toMatch(/^To Do:|^In Progress:/m);
  });

  it('names its own commit of a tick, which is accepted by you', async () => {
    const project = made();
    run(project, 'config', 'set', 'autoCommit', 'true');
    workAt(project, FOLDER);
    const result = await runWith(project, () => run(project, 'task', 'edit', '2.1', '-s', 'Done'));
    expect(result.exit_code).toBe(5);
    const report = project.ralph('report').stdout.replace(/\s+/g, ' ');
    expect(report).toMatch(/Ticked by commit \w{7} \(.+: "[^"]*TASK-2\.1[^"]*"\), while r-\S+ was active/);
    expect(project.json('tasks', 'accept', 'TASK-2.1').exit_code).toBe(0);
    expect(statusesOf(project)).toEqual({ 'TASK-1': 'done', 'TASK-2': 'done', 'TASK-2.1': 'done' });
  });

  it('with statuses of its own: the last one is final, and the tool lists all of it there', async () => {
    const project = made();
    const config = project.read('backlog/config.yml');
    project.write(
      'backlog/config.yml',
      config.replace(/^statuses: .*$/m, 'statuses: ["To Do", "In Progress", "QA", "Shipped"]'),
    );
    workAt(project, FOLDER);
    expect((await runWith(project, null)).exit_code).toBe(0);
    const listed = run(project, 'task', 'list', '--plain');
    expect(listed.match(/^\S.*:$/gm)).toEqual(['Shipped:']);
  });
});
