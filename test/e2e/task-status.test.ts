/** @module-tag slow */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  always,
  claim,
  makeProject,
  type Project,
  projectAt,
  SHELL_CLAIM,
  shellAgent,
} from '../helpers/cli.ts';
import { repositoryAt, temporaryFolder } from '../helpers/repository.ts';

const SPACER = '\nSome words between them, so that two changes never touch.\n\n';
/** Returns a list of three tasks, of which these numbers are ticked. */
function list(...ticked: number[]): string {
  const line = (number: number) =>
    `- [${ticked.includes(number) ? 'x' : ' '}] **T-${number}** Write part ${number}\n`;
  return `# Plan\n\n## Tasks\n\n${[1, 2, 3].map(line).join(SPACER)}`;
}

const WORK = always(
  { action: 'write', path: 'src/{task}.ts', content: 'export const time = {attempt};\n' },
  claim('src/{task}.ts:1 it'),
);
const TOML = '[loop]\nagent = "scripted"\n';

/** Returns a project in which a run did the first task, with everything committed. */
function begun(files: Readonly<Record<string, string>> = {}): Project {
  const project = makeProject({ '.ralph/PRD.md': list(), '.ralph/scenario.json': WORK, ...files });
  expect(project.json('run', '--task', 'T-1')).toMatchObject({ tasks: { done: 1, open: 2 } });
  project.commitAll('The first part');
  return project;
}

function statuses(project: Project): Record<string, string> {
  const { tasks } = project.json('tasks');
  return Object.fromEntries(tasks.map(({ id, status }: Record<string, string>) => [id, status]));
}

const doneBy = (project: Project, id: string) =>
  project.json('tasks').tasks.find((task: { id: string }) => task.id === id).done_by;

describe('ticks that come with commits', () => {
  it('of a colleague, by a pull, count and are named once', () => {
    const project = begun();
    const folder = temporaryFolder();
    project.git('clone', '-q', project.root, folder);
    const colleague = repositoryAt(folder);
    colleague.write('.ralph/PRD.md', list(1, 3));
    const commit = colleague.commitAll('Part 3 is done');
    project.git('pull', '-q', '--no-rebase', folder, 'main');

    const first = project.ralph('status');
    expect(first.stderr).toContain(`1 task is done, accepted from ${commit.slice(0, 7)} by Test Person: T-3`);
    expect(project.ralph('status').stderr).not.toContain('accepted from');
    expect(doneBy(project, 'T-3')).toMatchObject({ kind: 'commit', commit, author: 'Test Person' });
    expect(project.json('run')).toMatchObject({ exit_code: 0, tasks: { done: 3 } });
  });

  it('of your own count; the start of a run names them, too', () => {
    const project = begun();
    project.write('.ralph/PRD.md', list(1, 2, 3));
    project.commitAll('By hand');
    const run = project.ralph('run');
    expect(run.stdout).toMatch(/2 tasks are done, accepted from \w{7} by .+: T-2, T-3/);
    expect(run.code).toBe(0);
  });

  it('count for nothing with trust_commits = false', () => {
    const project = begun({ '.ralph/ralph.toml': `${TOML}[tracker]\ntrust_commits = false\n` });
    project.write('.ralph/PRD.md', list(1, 2));
    project.commitAll('By hand');
    expect(statuses(project)).toEqual({ 'T-1': 'done', 'T-2': 'unverified', 'T-3': 'open' });
  });

  it('before the first run here are taken as they are: a fresh clone', () => {
    const project = begun();
    project.write('.ralph/PRD.md', list(1, 2));
    project.commitAll('By hand');
    const folder = temporaryFolder();
    project.git('clone', '-q', project.root, folder);
    const fresh = projectAt(folder);
    expect(statuses(fresh)).toEqual({ 'T-1': 'done', 'T-2': 'done', 'T-3': 'open' });
    expect(fresh.json('run')).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(doneBy(fresh, 'T-2')).toMatchObject({ kind: 'import' });
  });
});

describe('ticks that nothing explains', () => {
  it('in the work tree alone: not done, not worked on, and never all done', () => {
    const project = begun();
    project.write('.ralph/PRD.md', list(1, 2, 3));
    const run = project.ralph('run');
    expect(run.code).toBe(5);
    expect(run.stdout).not.toMatch(/(\d+) of \1 tasks? done\./);
    expect(run.stdout).toContain('ralph tasks accept T-2 T-3');
    expect(project.ralph('status').stdout.replace(/\s+/g, ' ')).toContain(
      "Ticked, but ralph hasn't verified it and you haven't committed the tick.",
    );
    expect(project.json('doctor').findings).toContainEqual(
      expect.objectContaining({ id: 'tasks.unverified', detail: 'T-2, T-3' }),
    );
    project.write('.ralph/PRD.md', list(1));
    expect(project.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
  });

  it('a task waits for one that is ticked and not verified', () => {
    const waiting = list(1, 2).replace('Write part 3\n', 'Write part 3\n  - Depends on: T-2\n');
    const project = begun({
      '.ralph/PRD.md': list().replace('Write part 3\n', 'Write part 3\n  - Depends on: T-2\n'),
    });
    project.write('.ralph/PRD.md', waiting);
    expect(project.json('run')).toMatchObject({ exit_code: 5, iterations: 0 });
    expect(project.json('tasks', 'accept', 'T-2')).toMatchObject({ exit_code: 0, accepted: [{ id: 'T-2' }] });
    expect(project.json('run')).toMatchObject({ exit_code: 0, iterations: 1 });
  });

  it('accept takes what is ticked alone, all or none', () => {
    const project = begun();
    project.write('.ralph/PRD.md', list(1, 2));
    expect(project.ralph('tasks', 'accept').code).toBe(2);
    expect(project.ralph('tasks', 'accept', 'T-2', 'T-3').stderr).toContain("T-3 isn't ticked (open).");
    expect(project.ralph('tasks', 'accept', 'T-1').stderr).toContain('T-1 is done already.');
    expect(project.ralph('tasks', 'accept', 'T-9').stderr).toContain('There is no task T-9.');
    expect(statuses(project)['T-2']).toBe('unverified');
    expect(project.ralph('tasks', 'accept', '--all').stdout).toContain('T-2 is done, accepted by you');
    expect(doneBy(project, 'T-2')).toMatchObject({ kind: 'you' });
    expect(project.ralph('tasks', 'accept', '--all').stdout).toContain('No task is ticked');
  });

  it('reopen, and a mark that you remove, have a task done again', () => {
    const project = begun();
    expect(project.ralph('tasks', 'reopen', 'T-2').stderr).toContain("T-2 isn't done (open).");
    expect(project.ralph('tasks', 'reopen', 'T-1').stdout).toContain('T-1 is open again');
    expect(project.read('.ralph/PRD.md')).toBe(list());
    expect(statuses(project)['T-1']).toBe('open');
    expect(project.json('run')).toMatchObject({ exit_code: 0, tasks: { done: 3 } });
    project.write('.ralph/PRD.md', list(2, 3));
    expect(statuses(project)).toEqual({ 'T-1': 'open', 'T-2': 'done', 'T-3': 'done' });
    expect(project.json('run', '--dry-run').next).toMatchObject({ id: 'T-1' });
  });

  it.each(['ignored by git', 'committed'])(
    'an edit elsewhere after a kill between landing and tick reopens nothing: a list that is %s',
    async (where) => {
      vi.stubEnv('RALPH_BOX_MODE', 'off');
      const project = makeProject({
        '.ralph/PRD.md': list(),
        '.ralph/ralph.toml': `${TOML}[git]\ncommit = "on_done"\n`,
        '.ralph/scenario.json': WORK,
        ...(where === 'committed' ? {} : { '.gitignore': '.ralph/\n' }),
      });
      const [folder, killed] = [temporaryFolder(), project.path('.git/killed')];
      const git = `#!/bin/sh
case $* in *update-ref*)
  /usr/bin/git "$@"
  code=$?
  case $(/usr/bin/git -C '${project.root}' for-each-ref) in */landed/*) touch '${killed}'; kill -9 $PPID ;; esac
  exit $code ;;
esac
exec /usr/bin/git "$@"
`;
      writeFileSync(join(folder, 'git'), git, { mode: 0o755 });
      const { PATH } = process.env;
      vi.stubEnv('PATH', `${folder}:${PATH}`);
      expect((await project.start('run', '--task', 'T-1').ended).code).not.toBe(0);
      vi.stubEnv('PATH', PATH);
      expect(project.exists('.git/killed')).toBe(true);
      expect(project.git('log', '-1', '--format=%s')).toBe('Write part 1 (T-1)');
      expect(project.read('.ralph/PRD.md')).toBe(list());
      const edited = list().replace('Write part 3', 'Write part 3 and more');
      project.write('.ralph/PRD.md', edited);
      expect(statuses(project)['T-1']).toBe('done');
      expect(project.ralph('status').stdout).not.toContain('taken back');
      expect(project.json('run', '--task', 'T-2')).toMatchObject({ exit_code: 0, iterations: 1 });
      expect(project.read('.ralph/PRD.md')).toBe(list(1, 2).replace('Write part 3', 'Write part 3 and more'));
      // From now on a mark that is gone was removed by you.
      project.write('.ralph/PRD.md', list(2));
      if (where !== 'committed') expect(statuses(project)['T-1']).toBe('open');
    },
  );

  it('of an agent that kills ralph', async () => {
    const project = makeProject({
      '.ralph/PRD.md': list(),
      '.ralph/ralph.toml': shellAgent(),
      'ticked.md': list(1, 2, 3),
      'agent.sh': 'cp ticked.md .ralph/PRD.md; touch now; exec sleep 40\n',
    });
    const { child, ended } = project.start('run');
    await project.appears('now');
    child.kill('SIGKILL');
    await ended;
    expect(Object.values(statuses(project))).not.toContain('done');
    project.commitAll('You commit what is there');
    expect(Object.values(statuses(project))).not.toContain('done');
    project.program('agent.sh', `mkdir -p src; echo "export {};" > src/$RALPH_TASK_ID.ts\n${SHELL_CLAIM}`);
    const { exit_code, iterations } = project.json('run');
    const done = Object.values(statuses(project)).filter((status) => status === 'done').length;
    // With the list put back, all tasks are worked on; otherwise the run waits for you.
    expect([exit_code, iterations]).toEqual(done === 3 ? [0, 3] : [5, 0]);
  });
});

describe('the task list stays the same one', () => {
  it('another one that appears is named once, and never adopted', () => {
    const project = makeProject({ 'PRD.md': list(), '.ralph/PRD.md': '', '.ralph/scenario.json': WORK });
    project.remove('.ralph/PRD.md');
    project.json('run', '--task', 'T-1');
    project.write('.ralph/PRD.md', list(1, 2, 3));
    const run = project.ralph('run', '--max-iterations', '1');
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(
      '.ralph/PRD.md looks like a task list, too; ralph works with PRD.md.',
    );
    expect(project.json('status').tracker).toBe('PRD.md');
    expect(project.ralph('run').stdout).not.toContain('looks like a task list');
  });

  it('one that is gone is an error with the way back', () => {
    const project = begun({ 'PRD.md': list(1, 2, 3) });
    project.remove('.ralph/PRD.md');
    const run = project.ralph('run');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('git checkout -- .ralph/PRD.md')]);
    project.write('.ralph/ralph.toml', `${TOML}[tracker]\npath = "PRD.md"\n`);
    expect(project.json('status')).toMatchObject({ tracker: 'PRD.md' });
  });

  it('an open task that takes the id of a done one is not done', () => {
    const project = begun();
    const other = list(1).replace('**T-1** Write part 1', '**T-1** Write something else');
    project.write('.ralph/PRD.md', other);
    expect(statuses(project)['T-1']).toBe('unverified');
  });
});
