/** @module-tag installs */

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

// The optional packages of task-master are agents, which are as large as the rest of it.
const taskMaster = installTool('task-master-ai', '0.43.1', 'task-master', { omit: ['optional'] });
describe.skipIf(taskMaster.isMissing)(taskMaster.title, () => {
  const run = (project: Project, ...args: string[]) => taskMaster.run(project.root, ...args);
  const LIST = '.taskmaster/tasks/tasks.json';
  const master = (project: Project) => JSON.parse(project.read(LIST)).master;
  /** task-master's `init` makes no list, and its `add-task` needs one. */
  const made = () => {
    const project = toolProject();
    run(project, 'init', '-y', '--name=demo', '--no-git', '--skip-install');
    project.write(LIST, '{"master":{"tasks":[],"metadata":{}}}');
    run(project, 'add-task', '--title=One', '--description=The first');
    run(
      project,
      'add-task',
      '--title=Two',
      '--description=The second',
      '--dependencies=1',
      '--priority=high',
    );
    run(project, 'add-subtask', '--parent=2', '--title=a part');
    return project;
  };

  it('is worked off while the tool adds and cancels tasks, and the tool finds nothing left', async () => {
    const project = made();
    run(project, 'add-task', '--title=Three', '--description=Not any more');
    workAt(project, LIST);
    let written = '';
    const result = await runWith(project, () => {
      run(project, 'set-status', '--id=3', '--status=cancelled');
      run(project, 'add-task', '--title=Four', '--description=Added meanwhile', '--dependencies=2');
      written = project.read(LIST);
    });
    expect(result.exit_code).toBe(0);
    expect(project.read(LIST)).toBe(
      written.replaceAll('"status": "pending"', '"status": "done"').replaceAll('"in-progress"', '"done"'),
    );
    expect(master(project).tasks.map(({ status }: { status: string }) => status)).toEqual([
      ...['done', 'done', 'cancelled', 'done'],
    ]);
    expect(JSON.parse(run(project, 'next', '--format=json'))).toMatchObject({ found: false });
    expect(run(project, 'validate-dependencies')).toContain('All Dependencies Are Valid');
  });

  it('begins again what the tool opened since', async () => {
    const project = made();
    workAt(project, LIST);
    expect((await runWith(project, null)).exit_code).toBe(0);
    run(project, 'set-status', '--id=1', '--status=pending');
    project.commitAll('by the tool');
    expect(statusesOf(project)).toEqual({ 1: 'open', 2: 'done' });
    const before = project.read(LIST);
    expect((await runWith(project, null)).exit_code).toBe(0);
    expect(project.read(LIST)).toBe(before.replace('"status": "pending"', '"status": "done"'));
    expect(JSON.parse(run(project, 'next', '--format=json'))).toMatchObject({ found: false });
  });
});
