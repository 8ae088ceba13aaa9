/** @module-tag rest */

import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { always, claim, type Project, projectAt, withoutBox } from '../helpers/cli.ts';
import { makeRepository } from '../helpers/repository.ts';
import { runningWith, runWith, toolProject, workAt } from '../helpers/task-tools.ts';

withoutBox();

/** Returns a list that the tool of this name and version made with its own commands. */
const made = (name: string) => readFileSync(new URL(`../fixtures/tools/${name}`, import.meta.url), 'utf8');

const SETTINGS =
  '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = [{ name = "test", run = "true" }]\n';
const append = (path: string, content: string) => ({ action: 'append' as const, path, content });

/** Returns a project with this list alone, whose agent does a little for each task and claims completion. */
function projectWith(files: Readonly<Record<string, string>>, settings = SETTINGS) {
  return projectAt(
    makeRepository({
      '.ralph/ralph.toml': settings,
      '.ralph/scenario.json': always(append('work.txt', '{task}\n'), claim('work.txt:1 work')),
      ...files,
    }).root,
  );
}

describe('OpenSpec 1.13.2', () => {
  const path = 'openspec/changes/c/tasks.md';

  it('ticks a task with parts by its own attempt, after them', () => {
    const project = projectWith({ [path]: made('openspec-1.13.2/tasks-parts.md') });
    const first = project.json('run', '--max-iterations', '1');
    expect(first.exit_code).not.toBe(0);
    const between = project.read(path);
    expect(between).toContain('- [x] 1.1.1 Update the docs');
    expect(between).toContain('- [ ] 1.1 Rename the API in every client');
    expect(project.json('run').exit_code).toBe(0);
    expect(project.read(path)).toBe(made('openspec-1.13.2/tasks-parts.md').replaceAll('[ ]', '[x]'));
    const own = project.iterations().filter((one) => project.promptOf(one).includes('Rename the API'));
    expect(own.map((one) => project.iteration(one).facts.task.id)).toContain('1.1');
    expect(project.read('work.txt')).toBe('1.1.1\n1.1\n1.2\n');
  });
});

describe('task-master 0.43.1', () => {
  const path = '.taskmaster/tasks/tasks.json';

  it('does a task without the parts that the list has left alone, and says so', () => {
    const list = made('task-master-0.43.1/tasks-parts.json');
    const project = projectWith({
      [path]: list,
      '.ralph/scenario.json': always(append('page.txt', '{task}\n'), claim('page.txt:1 page')),
    });
    const { stdout, stderr, code } = project.ralph('run');
    expect(code).toBe(0);
    const states = (text: string) =>
      JSON.parse(text).master.tasks.map(({ status, subtasks }: Record<string, unknown>) => [
        status,
        ...(subtasks as { status: string }[]).map((part) => part.status),
      ]);
    expect(states(list)[0]).toEqual([
      'in-progress',
      ...['pending', 'blocked', 'cancelled', 'done', 'deferred', 'review'],
    ]);
    expect(states(project.read(path))).toEqual([
      ['done', 'done', 'blocked', 'cancelled', 'done', 'deferred', 'review'],
      ['done'],
    ]);
    const prompt = project.promptOf(1);
    expect(prompt).toContain('all of them to be met:\n\n- page.txt exists\n\nNot a part');
    expect(prompt).not.toContain('old-cancel.txt');
    expect(prompt).not.toContain('A done one');
    const without = 'Ask the lawyer (blocked), On ice (deferred), In review (review)';
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(`1 is done without ${without}`);
    expect(project.ralph('report').stdout.replace(/\s+/g, ' ')).toContain(`Done without ${without}`);
  });
});

/** The files were made with `backlog init`, own statuses in `config.yml`, and `backlog task create`. */
const backlog = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [`backlog/${name}`, made(`backlog.md-1.52.0/words/${name.replaceAll('/', '-')}`)]),
  );

const word = (text: string) => /^status: (.*)$/m.exec(text)?.[1];

describe('Backlog.md 1.52.0', () => {
  const names = [1, 2, 3, 4, 5, 6].map((number) => `tasks/task-${number}.md`);
  const files = backlog('config.yml', ...names);

  it('reads and writes the words of its configuration, and leaves unknown ones alone', () => {
    const project = projectWith(files);
    const before = names.map((name) => word(files[`backlog/${name}`] ?? ''));
    expect(before).toEqual(['Shipped', 'To Do', "Won't Do", 'QA', 'To Do', 'To Do']);
    const run = project.json('run');
    expect(run.exit_code).toBe(5);
    // The second task waits for the first, the fifth for the fourth, and the sixth for the third.
    const words = () => names.map((name) => word(project.read(`backlog/${name}`)));
    expect(words()).toEqual(['Shipped', 'Shipped', "Won't Do", 'QA', 'To Do', 'To Do']);
    const said = JSON.stringify(project.json('tasks'));
    expect(said).toContain('TASK-6 depends on TASK-3, which the list gives up');
    expect(said).not.toContain('did you mean');
    const listed = project.json('tasks').tasks as { id: string; status: string }[];
    expect(listed.find(({ id }) => id === 'TASK-4')?.status).toBe('parked');
    const report = project.ralph('report').stdout.replace(/\s+/g, ' ');
    expect(report).toContain(
      '"QA", a word that ralph doesn\'t know (if it is done: [tracker.states] done = ["QA"])',
    );
    expect(report).not.toContain('ralph unblock');
    expect(project.ralph('unblock', 'TASK-4').code).not.toBe(0);
    expect(words()[3]).toBe('QA');
    // Once the setting names the meaning of the status, the task that waited starts.
    project.write('.ralph/ralph.toml', `${SETTINGS}[tracker.states]\ndone = ["Shipped", "QA"]\n`);
    project.json('tasks', 'accept', 'TASK-4');
    project.json('run');
    expect(words()).toEqual(['Shipped', 'Shipped', "Won't Do", 'QA', 'Shipped', 'To Do']);
  });
});

describe('Backlog.md 1.52.0, before anything is finished', () => {
  it('gets the word that its configuration has last', () => {
    const first = 'tasks/task-2.md';
    const project = projectWith({
      ...backlog('config.yml'),
      [`backlog/${first}`]: made('backlog.md-1.52.0/words/tasks-task-2.md').replace(
        'dependencies:\n  - TASK-1\n',
        'dependencies: []\n',
      ),
    });
    expect(project.json('run').exit_code).toBe(0);
    expect(word(project.read(`backlog/${first}`))).toBe('Shipped');
  });
});

describe('an id that comes back', () => {
  it('is of another task, which begins anew, while the work of the old one stays under its own name', () => {
    const old = 'backlog/tasks/task-1 - Parse-the-dates.md';
    const fresh = 'backlog/tasks/task-1 - Fresh.md';
    const project = projectWith({ [old]: made('backlog.md-1.52.0/again/old.md') });
    // The criterion of the task isn't met, so the task is blocked.
    expect(project.json('run').exit_code).toBe(4);
    expect(project.json('tasks').tasks).toMatchObject([{ id: 'TASK-1', status: 'blocked' }]);
    project.git('rm', '-q', old);
    project.write(fresh, made('backlog.md-1.52.0/again/new.md'));
    expect(project.json('tasks').tasks).toMatchObject([{ id: 'TASK-1', status: 'open', title: 'Fresh' }]);
    const [kept] = (project.json('checkpoints').checkpoints as { id: string }[]).filter(({ id }) =>
      id.startsWith('TASK-1'),
    );
    expect(kept?.id).toMatch(/^TASK-1@\d+$/);
    expect(project.ralph('take', 'TASK-1').code).not.toBe(0);
    const run = project.json('run');
    expect(run.exit_code).toBe(0);
    expect(project.read(fresh)).toContain('status: Done');
    expect(project.ralph('checkpoints', 'show', kept?.id ?? '').stdout).toContain('work.txt');
  });
});

describe('Backlog.md 1.52.0 with auto_commit', () => {
  const path = (number: number, title: string) => `backlog/tasks/task-${number} - ${title}.md`;

  it('names its commit that ticks a task while a run is on, in run, status and report', async () => {
    const project = toolProject();
    for (const [number, title] of [...['One', 'Two', 'Three'].entries()])
      project.write(path(number + 1, title), made(`backlog.md-1.52.0/commits/task-${number + 1}.md`));
    workAt(project, 'backlog/tasks');
    const commits = () => {
      project.write(path(3, 'Three'), made('backlog.md-1.52.0/commits/task-3-ticked.md'));
      project.git('add', 'backlog');
      project.git('commit', '-q', '-m', 'Update task TASK-3');
    };
    const { code, stdout } = await runningWith(project, commits, () => project.start('run').ended);
    expect(code).toBe(5);
    const [run] = /r-\d+-\d+-\w+/.exec(stdout) ?? [''];
    const named = new RegExp(
      `by commit ${project.git('log', '-1', '--format=%h', '--abbrev=7', '--', path(3, 'Three'))} \\(.+: "Update task TASK-3"\\), while ${run} was active; ralph hasn't verified it`,
    );
    for (const command of ['status', 'report']) {
      const said = project.ralph(command).stdout.replace(/\s+/g, ' ');
      expect(said).toMatch(named);
      expect(said).not.toContain("you haven't committed the tick");
    }
    expect(project.ralph('explain', 'TASK-3').stdout.replace(/\s+/g, ' ')).toMatch(named);
    // Without a box ralph also sees that the commit moved the branch: once, with the commit.
    const printed = stdout.replace(/\s+/g, ' ');
    expect(printed.match(/while the agent worked/g)).toHaveLength(1);
    expect(printed).toMatch(
      /! Commit \w{7} \(.+?: "Update task TASK-3"\) came while the agent worked\. Changed outside of its copy: HEAD, refs\/heads\/main, the index, backlog\/tasks\./,
    );
    expect(printed.match(/! TASK-3: ticked by commit \w{7} \(/g)).toHaveLength(1);
    expect(project.exists('made/TASK-3.txt')).toBe(false);
    expect(project.json('tasks', 'accept', 'TASK-3').exit_code).toBe(0);
    expect(project.json('run').exit_code).toBe(0);
  });
});

describe('OpenSpec 1.13.2, archive', () => {
  const list = (name: string) => `openspec/changes/${name}/tasks.md`;
  const archived = 'openspec/changes/archive/2026-11-30-c';
  const project = () => {
    const project = toolProject();
    for (const name of ['c', 'add-c', 'finished'])
      project.write(list(name), made('openspec-1.13.2/tasks-parts.md'));
    project.write(list('finished'), made('openspec-1.13.2/tasks-parts.md').replaceAll('[ ]', '[x]'));
    workAt(project, list('c'));
    return project;
  };
  /** Does the same as `openspec archive c --yes`, which open tasks don't stop. */
  const archive = (project: Project) => {
    project.write(`${archived}/tasks.md`, project.read(list('c')));
    rmSync(project.path('openspec/changes/c'), { recursive: true });
  };
  const says = `${list('c')} was archived by its tool: it is in ${archived}/tasks.md now. The other list here: ${list('add-c')}`;
  const next = `ralph init --list ${list('add-c')}`;

  it('is said with the other list by every command, and the one that it names continues', () => {
    const one = project();
    archive(one);
    for (const command of ['tasks', 'status', 'run']) {
      const { stderr, code } = one.ralph(command, ...(command === 'run' ? ['--trust'] : []));
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toContain(`${says} Next: ${next}`);
    }
    expect(one.json('doctor').findings).toContainEqual(
      expect.objectContaining({ id: 'tasks.read', detail: says, fix: next }),
    );
    const before = one.read('.ralph/ralph.toml');
    expect(one.ralph(...next.split(' ').slice(1), '-y').code).toBe(0);
    expect(one.read('.ralph/ralph.toml')).toBe(before.replace(list('c'), list('add-c')));
    expect(one.json('run').exit_code).toBe(0);
    expect(one.read(list('add-c'))).not.toContain('[ ]');
    expect(one.read(`${archived}/tasks.md`)).toContain('[ ]');
  });

  it('ends the run that is at work, which says so, with what it verified on the branch', async () => {
    const one = project();
    const run = await runWith(one, () => archive(one));
    expect(run.exit_code).toBe(2);
    expect(run.reason).toContain(says);
    expect(run.next).toEqual([next]);
    expect(one.git('ls-files', 'made')).toBe('made/1.1.1.txt');
  });
});

describe('what is given up, whose work it is, and titles', () => {
  const names = [1, 2, 3, 4, 5].map((number) => `task-${number}`);
  const list = Object.fromEntries([
    ['backlog/config.yml', made('backlog.md-1.52.0/given-up/config.yml')],
    ...names.map((name) => [`backlog/tasks/${name}.md`, made(`backlog.md-1.52.0/given-up/${name}.md`)]),
  ]);

  it('Backlog.md: what depends on a cancelled task says so, and what is assigned comes last', () => {
    const project = projectWith(list);
    const run = project.json('run');
    expect(run.exit_code).toBe(5);
    expect(project.read('work.txt')).toBe('TASK-1\nTASK-5\nTASK-4\n');
    const states = names.map((name) => word(project.read(`backlog/tasks/${name}.md`)));
    expect(states).toEqual(['Done', 'Cancelled', 'To Do', 'Done', 'Done']);
    const said = project.ralph('tasks').stdout.replace(/\s+/g, ' ');
    expect(said).toContain('TASK-3 depends on TASK-2, which the list gives up: open TASK-2 again');
    expect(said).not.toContain('did you mean');
    // A title of two lines is printed and committed on one.
    expect(said).toContain('Two lines: title');
    expect(project.git('log', '--format=%s')).toContain('Two lines: title (TASK-1)');
  });

  it('Backlog.md: with skip_assigned what is assigned is left alone', () => {
    const project = projectWith(list, `${SETTINGS}[tracker]\nskip_assigned = true\n`);
    expect(project.json('run').exit_code).toBe(5);
    expect(project.read('work.txt')).toBe('TASK-1\nTASK-5\n');
    expect(project.read('backlog/tasks/task-4.md')).toBe(list['backlog/tasks/task-4.md']);
    const report = project.ralph('report').stdout.replace(/\s+/g, ' ');
    expect(report).toContain('Left alone: @ada has it ([tracker] skip_assigned).');
  });

  it('task-master: what depends on a cancelled task says so', () => {
    const path = '.taskmaster/tasks/tasks.json';
    const project = projectWith({ [path]: made('task-master-0.43.1/tasks-given-up.json') });
    expect(project.json('run').exit_code).toBe(5);
    expect(project.read('work.txt')).toBe('3\n');
    const said = project.ralph('tasks').stdout.replace(/\s+/g, ' ');
    expect(said).toContain('2 depends on 1, which the list gives up');
    expect(said).not.toContain('did you mean');
  });
});

describe('what a command is asked for and the list does not have', () => {
  const names = [1, 2, 3, 4, 5].map((number) => `task-${number}`);
  const list = Object.fromEntries([
    ['backlog/config.yml', made('backlog.md-1.52.0/given-up/config.yml')],
    ...names.map((name) => [`backlog/tasks/${name}.md`, made(`backlog.md-1.52.0/given-up/${name}.md`)]),
  ]);

  it.each([
    ['unblock', 'TASK-2'],
    ['unblock', 'task-2'],
    ['take', 'TASK-2'],
    ['answer', 'TASK-2', 'yes'],
    ['explain', 'TASK-2'],
    ['prompt', 'TASK-2'],
    ['run', '--task', 'TASK-2'],
    ['tasks', 'accept', 'TASK-2'],
  ])('says of a task that is given up that it is: ralph %s %s', (...args) => {
    const { stderr, code } = projectWith(list).ralph(...args);
    expect(code).not.toBe(0);
    const said = stderr.replace(/\s+/g, ' ');
    expect(said).toContain(
      'TASK-2 is given up: the task list says "Cancelled". To have it done, open it there.',
    );
    expect(said).not.toMatch(/did you mean/i);
  });

  it('names the tags that are there, and the setting that takes one', () => {
    const tasks = [{ id: 1, title: 'One', status: 'pending', dependencies: [], subtasks: [] }];
    const project = projectWith(
      { '.taskmaster/tasks/tasks.json': JSON.stringify({ empty: { tasks: [] }, 'sprint-3': { tasks } }) },
      `${SETTINGS}[tracker]\nlabel = "sprint-2"\n`,
    );
    for (const command of ['tasks', 'run']) {
      const { stderr, code } = project.ralph(command);
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toContain(
        'tasks.json has no tag "sprint-2" ([tracker] label). Its tags are empty (0 tasks), sprint-3 (1 task). To take one, write in .ralph/ralph.toml, under [tracker]: label = "sprint-3"',
      );
    }
    project.write('.ralph/ralph.toml', `${SETTINGS}[tracker]\nlabel = "sprint-3"\n`);
    expect(project.json('run').exit_code).toBe(0);
  });
});

describe('a list without a tool', () => {
  it('closes a numbered group with its last part, which has its text in the prompt', () => {
    const list = '# Plan\n\n- [ ] 1. Rename the API everywhere\n  - [ ] 1.1 Docs\n  - [ ] 1.2 Tests\n';
    const project = projectWith({ '.ralph/PRD.md': list });
    expect(project.json('run').exit_code).toBe(0);
    expect(project.read('.ralph/PRD.md')).toBe(list.replaceAll('[ ]', '[x]'));
    expect(project.iterations().map((one) => project.promptOf(one).includes('1. Rename the API'))).toEqual([
      false,
      true,
    ]);
  });
});
