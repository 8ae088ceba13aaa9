import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { detectBox } from '../../src/io/box/index.ts';
import { claim, makeProject, type Project, type ProjectFiles, withoutBox } from '../helpers/cli.ts';

/** On one line, however wide the terminal is. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

const write = (path: string, content: string): ScenarioAction => ({ action: 'write', path, content });
const WAITS: ScenarioAction = {
  action: 'run',
  argv: ['sh', '-c', 'while [ ! -e go.tmp ]; do sleep 0.05; done'],
};

/** Writes by a tool that names the file, in a stream, and leaves time for an edit. */
const NAMED_WRITE: readonly ScenarioAction[] = [
  { action: 'tool', name: 'Write', input: { file_path: 'one.txt', content: '1' } },
  write('one.txt', '1\n'),
  { action: 'sleep', seconds: 3 },
  claim('one.txt:1 it is'),
];

/** T-1 waits for `go.tmp` in the midst of its work. */
const SCENARIO = JSON.stringify({
  steps: [
    { when: { task: 'T-1' }, do: [write('one.txt', '1\n'), WAITS, claim('one.txt:1 it is')] },
    { when: { task: 'T-2' }, do: [write('two.txt', '2\n'), claim('two.txt:1 it is')] },
    { when: { task: 'T-3' }, do: [write('three.txt', '3\n'), claim('three.txt:1 it is')] },
    { when: { task: 'T-4' }, do: [write('four.txt', '4\n'), claim('four.txt:1 it is')] },
  ],
});

const LIST = `## Tasks

- [ ] **T-1** Write one
- [ ] **T-2** Write two
- [ ] **T-3** Write three
`;

const CONFIG = `[loop]
agent = "scripted"

[gates]
commands = [{ name = "check", run = "true" }]
`;

const FILES = {
  '.gitignore': 'go.tmp\n',
  'src.txt': 'one\ntwo\n',
  '.ralph/PRD.md': LIST,
  '.ralph/ralph.toml': CONFIG,
  '.ralph/scenario.json': SCENARIO,
};

/** Edits files while T-1 is worked at, and lets the run end. */
async function editedMeanwhile(edits: Readonly<Record<string, string>>, more: ProjectFiles = {}) {
  const project = makeProject({ ...FILES, ...more });
  const run = project.start('run');
  await project.appears('one.txt');
  for (const [path, text] of Object.entries(edits)) project.write(path, text);
  project.write('go.tmp', '');
  return { project, ...(await run.ended) };
}

const replaced = (from: string, to: string) => ({ '.ralph/PRD.md': LIST.replace(from, to) });
const statuses = (project: Project) =>
  Object.fromEntries(
    project.json('tasks').tasks.map(({ id, status }: { id: string; status: string }) => [id, status]),
  );
const noIncident = (project: Project) =>
  expect(project.iterations().flatMap((number) => project.iteration(number).decisions.interventions)).toEqual(
    [],
  );

describe.skipIf(detectBox(false).kind !== 'on')(
  'what you edit while an attempt runs',
  { concurrent: true },
  () => {
    it('an added task is worked at in the same run', async () => {
      const { project, code, stdout } = await editedMeanwhile({
        '.ralph/PRD.md': `${LIST}- [ ] **T-4** Write four\n`,
      });
      expect(code).toBe(0);
      expect(statuses(project)).toEqual({ 'T-1': 'done', 'T-2': 'done', 'T-3': 'done', 'T-4': 'done' });
      expect(flat(stdout)).toContain('You edited .ralph/PRD.md while #1 was at work. + T-4 Write four');
      noIncident(project);
    });

    it('a list that is saved without the marks of the run gets them again', async () => {
      const [two, one] = ['- [ ] **T-2** Write two\n', '- [ ] **T-1** Write one\n'];
      const { project, code } = await editedMeanwhile(
        { '.ralph/PRD.md': `${two}${one}- [ ] **T-4** Write four\n` },
        { '.ralph/PRD.md': `${two}${one}` },
      );
      expect(code).toBe(0);
      expect(project.iterations().map((number) => project.iteration(number).facts.task.id)).toEqual([
        'T-2',
        'T-1',
        'T-4',
      ]);
      expect(project.read('.ralph/PRD.md')).not.toContain('[ ]');
    });

    it('another order counts at the next choice', async () => {
      const [two, three] = ['- [ ] **T-2** Write two\n', '- [ ] **T-3** Write three\n'];
      const { project, code } = await editedMeanwhile(replaced(`${two}${three}`, `${three}${two}`));
      expect(code).toBe(0);
      expect(project.iteration(2).facts.task.id).toBe('T-3');
    });

    it.each([
      ['reworded', 'Write two', 'Write both', '- T-2 Write two + T-2 Write both', 'Write both'],
      ['taken out', '- [ ] **T-2** Write two\n', '', '- T-2 Write two', null],
    ])('a task that is %s waits until you accept that', async (_, from, to, diff, title) => {
      const { project, code, stdout } = await editedMeanwhile(replaced(from, to));
      expect(code).toBe(5);
      expect(statuses(project)).toEqual({ 'T-1': 'done', 'T-2': 'parked', 'T-3': 'done' });
      expect(project.read('.ralph/PRD.md')).toContain(to);
      expect(flat(stdout)).toContain(diff);
      expect(stdout).toContain('ralph tasks accept-edits');
      noIncident(project);
      expect(project.ralph('run').code).toBe(5);
      const accepted = project.ralph('tasks', 'accept-edits');
      expect([accepted.code, flat(accepted.stdout)]).toEqual([0, expect.stringContaining(diff)]);
      expect((await project.start('run').ended).code).toBe(0);
      expect(project.exists('two.txt')).toBe(title !== null);
      if (title !== null) expect(project.iteration(3).facts.task.title).toBe(title);
    });

    it('an edit that you take back waits for nothing', async () => {
      const { project, code } = await editedMeanwhile(replaced('Write two', 'Write both'));
      expect(code).toBe(5);
      project.write('.ralph/PRD.md', project.read('.ralph/PRD.md').replace('Write both', 'Write two'));
      expect((await project.start('run').ended).code).toBe(0);
      expect(project.ralph('tasks', 'accept-edits').stdout).toContain('No edit of a task waits for you.');
    });

    it('the task at work is measured by the text that it began with', async () => {
      const { project, code } = await editedMeanwhile(
        replaced('Write one\n', 'Write one\n  - the file has ten lines\n'),
      );
      expect(code).toBe(0);
      expect(project.iteration(1).decisions.verdict.kind).toBe('done');
      expect(project.read('.ralph/PRD.md')).toContain('- [x] **T-1** Write one\n  - the file has ten lines');
    });

    it('the task at work is done by its old title only: under the new one it is to be done again', async () => {
      const { project, code, stdout } = await editedMeanwhile(replaced('Write one', 'Write the first'));
      expect(code).toBe(5);
      expect(project.iteration(1).decisions.verdict.kind).toBe('done');
      expect(flat(stdout)).toContain('T-1 could not be marked as done: it has another title by now');
      expect(statuses(project)).toEqual({ 'T-1': 'parked', 'T-2': 'done', 'T-3': 'done' });
      expect(project.ralph('tasks', 'accept-edits', 'T-1').code).toBe(0);
      expect(statuses(project)).toMatchObject({ 'T-1': 'open' });
    });

    it('a comment in ralph.toml is named and asks for nothing', async () => {
      const { project, code, stdout } = await editedMeanwhile({ '.ralph/ralph.toml': `# mine\n${CONFIG}` });
      expect(code).toBe(0);
      expect(project.read('.ralph/ralph.toml')).toBe(`# mine\n${CONFIG}`);
      expect(flat(stdout)).toContain(
        'You edited .ralph/ralph.toml while #1 was at work; nothing that ralph reads differs.',
      );
      expect(stdout).not.toContain('ralph trust');
      noIncident(project);
    });

    it('what gates run stays as the run began with, and the next run asks', async () => {
      const edited = CONFIG.replace('"true"', '"false"').replace(
        '[gates]',
        'max_attempts_per_task = 9\n\n[gates]',
      );
      const { project, code, stdout } = await editedMeanwhile({ '.ralph/ralph.toml': edited });
      expect(code).toBe(0);
      expect(statuses(project)).toMatchObject({ 'T-3': 'done' });
      expect(flat(stdout)).toContain('- gates.commands = [{"name":"check","run":"true"}]');
      expect(flat(stdout)).toContain('+ loop.max_attempts_per_task = 9');
      expect(stdout).toContain('ralph trust');
      noIncident(project);
      expect(project.json('trust', '--list')).toMatchObject({
        state: 'untrusted',
        settings: expect.arrayContaining(['+ loop.max_attempts_per_task = 9']),
      });
      expect(project.json('trust')).toMatchObject({ state: 'trusted' });
      expect(project.json('trust', '--list')).toMatchObject({ settings: [] });
    });

    it('a task list in the repository is none of the work, and your edit of it is in no commit of ralph', async () => {
      const more = `${CONFIG}\n[git]\ncommit = "on_done"\n\n[tracker]\npath = "PRD.md"\n`;
      const { project, code } = await editedMeanwhile(
        { 'PRD.md': `${LIST}\nMy notes.\n`, 'src.txt': 'one\ntwo\nmine\n' },
        { 'PRD.md': LIST, '.ralph/ralph.toml': more },
      );
      expect(code).toBe(0);
      expect(project.read('src.txt')).toBe('one\ntwo\nmine\n');
      expect(project.read('PRD.md')).toContain('My notes.');
      expect(project.git('show', 'HEAD:PRD.md')).not.toContain('My notes.');
      expect(project.iteration(1).decisions.yours).toContain('PRD.md');
      noIncident(project);
    });
  },
);

describe.skipIf(detectBox(false).kind !== 'on')('an evening at the keyboard', () => {
  it('loses nothing, stops nothing, and is named in the morning', async () => {
    const steps = [
      {
        when: { task: 'T-1' },
        do: NAMED_WRITE,
      },
      { when: { task: 'T-3' }, do: [write('three.txt', '3\n'), claim('three.txt:1 it is')] },
      { when: { task: 'T-4' }, do: [write('four.txt', '4\n'), claim('four.txt:1 it is')] },
    ];
    const list = `${LIST.replace('Write two', 'Write both')}- [ ] **T-4** Write four\n`;
    const config = `# mine\n${CONFIG.replace('"true"', '"false"')}`;
    const { project, code, stdout } = await editedMeanwhile(
      { '.ralph/PRD.md': list, '.ralph/ralph.toml': config, 'src.txt': 'one\ntwo\nmine\n' },
      { '.ralph/scenario.json': JSON.stringify({ output: 'claude-stream', steps }) },
    );
    expect(code).toBe(5);
    expect(statuses(project)).toEqual({ 'T-1': 'done', 'T-2': 'parked', 'T-3': 'done', 'T-4': 'done' });
    expect(project.read('.ralph/PRD.md').replaceAll('[x]', '[ ]')).toBe(list);
    expect(project.read('.ralph/ralph.toml')).toBe(config);
    expect(project.read('src.txt')).toBe('one\ntwo\nmine\n');
    const summary = flat(stdout.slice(stdout.indexOf('tasks done')));
    for (const line of [
      '+ T-4 Write four',
      '- T-2 Write two + T-2 Write both',
      '- gates.commands = [{"name":"check","run":"true"}]',
      'so it counts as yours: src.txt',
      'ralph tasks accept-edits',
      'ralph trust',
    ])
      expect(summary).toContain(line);
    noIncident(project);
    expect(flat(project.ralph('run', '--dry-run').stdout)).toContain('1 task waiting for you: T-2');
  });
});

/** What `ralph tasks add|edit|remove` do while T-1 is worked at. */
async function commandsMeanwhile(): Promise<void> {
  const project = makeProject(FILES);
  const run = project.start('run');
  await project.appears('one.txt');
  expect(project.json('tasks', 'add', 'Write four', '--depends-on', 'T-1')).toMatchObject({
    running: true,
    tasks: [{ id: 'T-4', title: 'Write four' }],
  });
  expect(project.ralph('tasks', 'edit', 'T-2', '--title', 'Write both').code).toBe(0);
  expect(project.ralph('tasks', 'remove', 'T-3').code).toBe(0);
  project.write('go.tmp', '');
  expect((await run.ended).code).toBe(0);
  expect(statuses(project)).toEqual({ 'T-1': 'done', 'T-2': 'done', 'T-4': 'done' });
  expect(project.iteration(2).facts.task.title).toBe('Write both');
  expect(project.exists('three.txt')).toBe(false);
  noIncident(project);
}

describe('ralph tasks add, edit and remove', () => {
  it('count while a run is on', commandsMeanwhile);

  it('change nothing that they can not change', () => {
    const project = makeProject(FILES);
    const before = project.read('.ralph/PRD.md');
    expect(project.ralph('tasks', 'remove', 'T-1', 'T-9').code).toBe(2);
    expect(project.ralph('tasks', 'add', ' ').code).toBe(2);
    expect(project.ralph('tasks', 'add', 'x', '--depends-on', 'T-9').code).toBe(2);
    expect(project.ralph('tasks', 'edit', 'T-1').code).toBe(2);
    expect(project.read('.ralph/PRD.md')).toBe(before);
  });
});

describe('without a box', () => {
  withoutBox();

  it('ralph tasks add, edit and remove count while a run is on', commandsMeanwhile);

  it('an edit that no action of the agent explains is put back and kept, and says nothing against it', async () => {
    const steps = [{ do: NAMED_WRITE }];
    const project = makeProject({
      ...FILES,
      '.ralph/scenario.json': JSON.stringify({ output: 'claude-stream', steps }),
      '.ralph/PRD.md': '- [ ] **T-1** Write one\n',
    });
    const run = project.start('run');
    await project.appears('one.txt');
    project.write('.ralph/ralph.toml', `# mine\n${CONFIG}`);
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(project.read('.ralph/ralph.toml')).toBe(CONFIG);
    const [, kept = ''] = /it is kept as (\.ralph\/\S+?)\.\s/.exec(flat(stdout)) ?? [];
    expect(project.read(kept)).toBe(`# mine\n${CONFIG}`);
    expect(project.iteration(1).facts).toMatchObject({
      tampering: [],
      restored: [{ path: '.ralph/ralph.toml' }],
    });
    noIncident(project);
  });
});
