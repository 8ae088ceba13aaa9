/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import { always, claim, makeProject, withoutBox } from '../helpers/cli.ts';

withoutBox();

const WORKS = {
  '.ralph/scenario.json': always({ action: 'append', path: 'a.txt', content: 'a\n' }, claim('a.txt:1 a')),
};

const LIST = `# Plan

## Tasks

- [ ] **auth-login** Add a login
- [ ] [T-2] Time it
  Timeout: 30 minutes
- [ ] **T-2** Use the id again
- [ ] **T-4** Wait for nothing
  - Depends on: auth-logn
- [ ] **T-5** Go round
  - Depends on: T-6
- [ ] **T-6** And back
  - Depends on: T-5
- [ ] **T-7** Hard
  Complexity: simpel
  Gates: tset
- [ ] **Important** log out
  - Depends on: auth-login
- [?] What is this
`;

describe('a list with mistakes', () => {
  it('hides no task: those without one are worked on, the others are named with their lines', () => {
    const project = makeProject({
      ...WORKS,
      '.ralph/PRD.md': LIST,
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "test", run = "true" }]\n',
    });
    const named = [
      ['.ralph/PRD.md:7', 'Did you mean 30m?'],
      ['.ralph/PRD.md:8', 'the id T-2 is used by an earlier task (line 6)'],
      ['.ralph/PRD.md:10', 'did you mean auth-login?'],
      ['.ralph/PRD.md:12', 'T-5 → T-6 → T-5'],
      ['.ralph/PRD.md:16', 'Did you mean simple?'],
      ['.ralph/PRD.md:17', 'Did you mean test?'],
      ['.ralph/PRD.md:20', 'the mark [?]'],
    ] as const;
    const wanted = named.map(([place, message]) =>
      expect.objectContaining({ place, message: expect.stringContaining(message) }),
    );
    const listed = project.json('tasks');
    expect(listed.problems).toEqual(wanted);
    const text = project.ralph('tasks').stdout;
    for (const [place] of named) expect(text).toContain(`! ${place}: `);

    const run = project.json('run');
    expect(run.exit_code).toBe(5);
    expect(run.preflight.filter(({ id }: { id: string }) => id === 'tasks.problem')).toEqual(
      named.map(([title]) => expect.objectContaining({ title, status: 'warning' })),
    );
    const done = project.json('tasks').tasks.filter(({ status }: { status: string }) => status === 'done');
    expect(done.map(({ title }: { title: string }) => title)).toEqual([
      'Add a login',
      '**Important** log out',
    ]);
    expect(project.iterations()).toHaveLength(2);
    expect(project.json('explain', 'T-7').task).toMatchObject({
      selectable: false,
      why: expect.stringContaining('simpel'),
    });
    const doctor = JSON.stringify(project.json('doctor'));
    for (const [place] of named) expect(doctor).toContain(place);
  });

  it('keeps a run from starting where nothing else is left', () => {
    const project = makeProject({ ...WORKS, '.ralph/PRD.md': '- [ ] **T-1** One\n  Timeot: 30m\n' });
    const run = project.json('run');
    expect(run).toMatchObject({
      exit_code: 2,
      error: { message: expect.stringContaining('.ralph/PRD.md:2'), next: 'Correct it in .ralph/PRD.md:2.' },
    });
    expect(project.json('run', '--dry-run').error).toEqual(run.error);
    expect(project.iterations()).toEqual([]);
  });

  it('keeps a run from starting where tasks may be hidden', () => {
    const project = makeProject({ ...WORKS, '.ralph/PRD.md': '- [ ] One\n```\n- [ ] Two\n' });
    expect(project.json('run')).toMatchObject({
      exit_code: 2,
      error: { message: expect.stringContaining('.ralph/PRD.md:2: the code fence') },
    });
  });

  it.each([
    ['# Plan\n\n## Tasks\n\n- [ ] Replace this line with your first task\n'],
    ['- [ ] **T-1** replace this line with your first task.\n'],
    ['# Plan\n\n## Tasks\n'],
  ])('that is only an example starts no agent: %j', (text) => {
    const project = makeProject({ ...WORKS, '.ralph/PRD.md': text });
    const run = project.json('run');
    expect(run).toMatchObject({
      exit_code: 2,
      error: {
        message: expect.stringContaining('there are no tasks in it'),
        next: expect.stringContaining('ralph tasks add'),
      },
    });
    expect(project.iterations()).toEqual([]);
    expect(project.json('tasks', 'add', 'Write a').exit_code).toBe(0);
    expect(project.json('run').exit_code).toBe(0);
  });
});

it('tasks are added, renamed and removed under the ids that a list has', () => {
  const project = makeProject({
    '.ralph/PRD.md': '- [ ] [T-9] One\n- [ ] #12 Two\n- [ ] **auth-login** Three\n',
  });
  expect(project.json('tasks', 'edit', 'auth-login', '--title', 'Log in').exit_code).toBe(0);
  expect(project.json('tasks', 'remove', '#12').exit_code).toBe(0);
  expect(project.json('tasks', 'add', '(T-10) Four', '--depends-on', 'auth-login').tasks).toMatchObject([
    { id: 'T-10', title: 'Four' },
  ]);
  expect(project.read('.ralph/PRD.md')).toBe(
    '- [ ] [T-9] One\n- [ ] **auth-login** Log in\n- [ ] (T-10) Four\n  Depends on: auth-login\n',
  );
  expect(project.json('tasks', 'remove', 'auth-login')).toMatchObject({
    problems: [],
    freed: [{ id: 'T-10', from: ['auth-login'] }],
  });
  expect(project.read('.ralph/PRD.md')).toBe('- [ ] [T-9] One\n- [ ] (T-10) Four\n');
});

it('a dependency that stays in the list is named with its place, whatever its spelling; the others go', () => {
  const task = (id: string, depends: string) =>
    `  { "id": "${id}", "title": "${id} of all", "dependsOn": [${depends}] }`;
  const list = (...tasks: string[]) => `{ "tasks": [\n${tasks.join(',\n')}\n] }\n`;
  // No place of the list has these two as the ids that they are read as.
  const stuck = [task('T-3', '"T\\u002d2"'), task('T-4', '"t\\u002d2"')];
  const project = makeProject({
    '.ralph/ralph.toml': '[tracker]\npath = "prd.json"\n',
    'prd.json': list(task('T-2', ''), ...stuck, task('T-5', '"T-2"')),
  });
  const removed = project.json('tasks', 'remove', 'T-2');
  expect(project.read('prd.json')).toBe(list(...stuck, task('T-5', '')));
  expect(removed).toMatchObject({ freed: [{ id: 'T-5', from: ['T-2'] }] });
  expect(removed.problems).toMatchObject([
    expect.stringMatching(/^prd\.json:2: T-3 depends on T-2, which isn't a task here/),
    expect.stringMatching(/^prd\.json:3: T-4 depends on t-2, which isn't a task here/),
  ]);
});

it('of tasks that are removed together, none goes if one can not, and no remark is about one that went', () => {
  const path = '.kiro/specs/app/tasks.md';
  const tasks = (...lines: string[]) => `# Plan\n\n${lines.join('\n')}\n`;
  const parent = ['- [ ] 2. Models', '  - [ ] 2.1 Write them'];
  const before = tasks('- [ ] 1. Set up', ...parent, '- [ ] 3. Serve (depends on 1)');
  const project = makeProject({
    '.ralph/ralph.toml': `[tracker]\npath = "${path}"\n`,
    [path]: before,
  });
  const refused = project.json('tasks', 'remove', '1', '2.1');
  expect(refused.error.message).toMatch(/^2\.1 can't be removed, so that none was: /);
  expect(project.read(path)).toBe(before);
  expect(project.json('tasks', 'remove', '1', '3')).toMatchObject({ exit_code: 0, problems: [] });
  expect(project.read(path)).toBe(tasks(...parent));
});
