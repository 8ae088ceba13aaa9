import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';
import { runTestGit } from '../helpers/repository.ts';

const CHECK = 'if grep -rn BROKEN src; then echo "the check found it" >&2; exit 7; fi\n';

const CONFIG = `[loop]
agent = "scripted"
max_attempts_per_task = 2

[interventions]
enabled = false

[git]
commit = "on_done"

[gates]
commands = [{ name = "check", run = "sh check.sh" }]
`;

const FILES = {
  'check.sh': CHECK,
  'src/app.js': 'one\ntwo\nthree\n',
  'src/old.js': 'fine\n',
  '.ralph/ralph.toml': CONFIG,
  '.ralph/PRD.md':
    '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write one\n- [ ] **T-2** Write two\n- [ ] **T-3** Write three\n',
};

const git = (root: string, ...args: string[]): string => runTestGit(root, args);

/** On one line, however wide the terminal is. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

const write = (path: string, content: string): ScenarioAction => ({ action: 'write', path, content });

/** What the agent does at each task, and at each attempt of it. */
function tasks(by: Readonly<Record<string, readonly ScenarioAction[][]>>): string {
  const steps = Object.entries(by).flatMap(([task, attempts]) =>
    attempts.map((actions, index) => ({ when: { task, attempt: index + 1 }, do: actions })),
  );
  return JSON.stringify({ steps });
}

const GOOD = (path: string) => [[write(path, 'fine\n'), claim(`${path}:1 works`)]];

function night(first: readonly ScenarioAction[][], more: ProjectFiles = {}): Project {
  const by = { 'T-1': first, 'T-2': GOOD('src/two.js'), 'T-3': GOOD('src/three.js') };
  return makeProject({ ...FILES, '.ralph/scenario.json': tasks(by), ...more });
}

/** The innocent tasks are done and committed, and the check passes on the tree. */
function expectGreen(project: Project): void {
  const result = project.json('status');
  expect(result.tasks).toMatchObject({ done: 2, blocked: 1 });
  expect(project.exists('src/two.js') && project.exists('src/three.js')).toBe(true);
  expect(project.read('src/app.js')).not.toContain('BROKEN');
  expect(git(project.root, 'status', '--porcelain', 'src')).toBe('');
}

describe.concurrent('a poisoned task', () => {
  it('that breaks a file in each attempt goes with its changes, and they come back by one command', async () => {
    const project = night([
      [write('src/app.js', 'BROKEN 1\n'), write('src/extra/deep.js', 'BROKEN too\n'), claim()],
      [
        write('src/app.js', 'BROKEN 2\n'),
        { action: 'delete', path: 'src/old.js' },
        write('src/blob.bin', 'a\u0000b BROKEN'),
        claim(),
      ],
    ]);
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(project.read('src/app.js')).toBe('one\ntwo\nthree\n');
    expect(project.exists('src/old.js')).toBe(true);
    expect(project.exists('src/extra')).toBe(false);
    const [command = ''] = /ralph checkpoints apply \S+/.exec(run.stdout) ?? [];
    expect(command).not.toBe('');
    expect(project.ralph(...command.split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(project.read('src/app.js')).toBe('BROKEN 2\n');
    expect(project.exists('src/old.js')).toBe(false);
    expect(project.read('src/blob.bin')).toBe('a\u0000b BROKEN');
    expect(project.read('src/extra/deep.js')).toBe('BROKEN too\n');
    expect(project.exists('src/two.js')).toBe(true);
  });

  it.each<[string, ScenarioAction[][], Record<string, string | null>]>([
    [
      'three different breakages',
      [
        [write('src/app.js', 'BROKEN 1\n'), claim()],
        [write('src/app.js', 'BROKEN 2\n'), write('src/odd name é.js', 'BROKEN, too\n'), claim()],
        [
          { action: 'delete', path: 'src/old.js' },
          write('src/deep/er/x.bin', '\u0000\u0001 BROKEN'),
          claim(),
        ],
      ],
      {
        'src/app.js': 'BROKEN 2\n',
        'src/odd name é.js': 'BROKEN, too\n',
        'src/old.js': null,
        'src/deep/er/x.bin': '\u0000\u0001 BROKEN',
      },
    ],
    [
      'one breakage and two empty attempts',
      [[write('src/app.js', 'BROKEN\n'), claim()], [claim()], [claim()]],
      { 'src/app.js': 'BROKEN\n' },
    ],
  ])('with %s: the work comes back byte for byte', async (_, attempts, kept) => {
    const config = CONFIG.replace('max_attempts_per_task = 2', 'max_attempts_per_task = 3');
    const project = night(attempts, { '.ralph/ralph.toml': config });
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(project.iterations()).toHaveLength(5);
    const [command = ''] = /ralph checkpoints apply \S+/.exec(run.stdout) ?? [];
    expect(project.ralph(...command.split(' ').slice(1))).toMatchObject({ code: 0 });
    for (const [path, content] of Object.entries(kept))
      expect([path, project.exists(path) ? project.read(path) : null]).toEqual([path, content]);
  });

  it("whose later attempts change nothing doesn't count against another task", async () => {
    const project = night([[write('src/app.js', 'BROKEN\n'), claim()], [claim()]]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    expectGreen(project);
  });

  it('whose agent commits gives the branch back', async () => {
    const project = night([
      [write('src/app.js', 'BROKEN 1\n'), { action: 'commit', message: 'mine', add: ['src'] }, claim()],
      [write('src/app.js', 'BROKEN 2\n'), { action: 'commit', message: 'more', add: ['src'] }, claim()],
    ]);
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expectGreen(project);
    expect(git(project.root, 'log', '--format=%s')).not.toMatch(/^(?:mine|more)$/m);
    const [, kept = ''] = /kept at (refs\/ralph\/kept\/\S+)/.exec(flat(run.stdout)) ?? [];
    expect(git(project.root, 'log', '--format=%s', kept)).toMatch(/^more\nmine\n/);
  });

  it('begins with its kept work once it is unblocked, or without it', async () => {
    const bad = [write('src/app.js', 'BROKEN\n'), write('src/part.js', 'good part\n'), claim()];
    const project = night([bad, bad]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    project.write(
      '.ralph/scenario.json',
      tasks({ 'T-1': [[write('src/app.js', 'fixed\n'), claim('src/app.js:1 works')]] }),
    );
    expect(project.ralph('unblock', 'T-1')).toMatchObject({ code: 0 });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/part.js')).toBe('good part\n');
    expect(git(project.root, 'status', '--porcelain', 'src')).toBe('');
  });

  it('begins afresh with --fresh', async () => {
    const bad = [write('src/app.js', 'BROKEN\n'), write('src/part.js', 'good part\n'), claim()];
    const project = night([bad, bad]);
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    project.write('.ralph/scenario.json', tasks({ 'T-1': GOOD('src/one.js') }));
    expect(project.ralph('unblock', 'T-1', '--fresh')).toMatchObject({ code: 0 });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.exists('src/part.js')).toBe(false);
  });

  it('stays with on_failure = "keep", and then a red tree ends the run', async () => {
    const bad = [write('src/app.js', 'BROKEN\n'), claim()];
    const config = CONFIG.replace('[interventions]', 'on_failure = "keep"\n\n[interventions]');
    const project = night([bad, bad], { '.ralph/ralph.toml': config });
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 3 });
    expect(flat(run.stdout)).toContain('gate "check" fails by it');
    expect(project.read('src/app.js')).toBe('BROKEN\n');
    // Nothing changed since: it would be the same again.
    expect(await project.start('run').ended).toMatchObject({ code: 3 });
  });

  it('that changes installed packages is repaired by after_set_aside, or ends the run', async () => {
    const files = {
      '.gitignore': 'installed/\n',
      'package.json': '{"version":"1"}\n',
      'installed/it.txt': 'ok\n',
      'check.sh': 'grep -q ok installed/it.txt\n',
    };
    const bad = [write('package.json', '{"version":"2"}\n'), write('installed/it.txt', 'other\n'), claim()];
    const stopped = night([bad, bad], files);
    const run = await stopped.start('run').ended;
    expect(run).toMatchObject({ code: 3 });
    expect(flat(run.stdout)).toContain('The environment changed');
    expect(flat(run.stdout)).toContain('installed/');
    const repair = 'after_set_aside = ["echo ok > installed/it.txt"]\n\n[interventions]';
    const project = night([bad, bad], {
      ...files,
      '.ralph/ralph.toml': CONFIG.replace('[interventions]', repair),
    });
    expect(await project.start('run').ended).toMatchObject({ code: 4 });
    expect(project.json('status').tasks).toMatchObject({ done: 2, blocked: 1 });
  });
});

describe.concurrent('what you change meanwhile', () => {
  it('stays when the work of a task goes, also in a file that both of you changed', async () => {
    const project = night([[write('src/app.js', 'BROKEN\n'), write('src/more.js', 'BROKEN\n')], [claim()]]);
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    project.write('src/app.js', 'fixed by me\n');
    project.write('src/notes.txt', 'mine\n');
    const second = [[claim()], [claim()]];
    project.write(
      '.ralph/scenario.json',
      tasks({ 'T-1': second, 'T-2': GOOD('src/two.js'), 'T-3': GOOD('src/three.js') }),
    );
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 4 });
    expect(project.read('src/app.js')).toBe('fixed by me\n');
    expect([project.exists('src/notes.txt'), project.exists('src/more.js')]).toEqual([true, false]);
    expect(flat(run.stdout)).toContain('Both of you changed src/app.js');
    expect(flat(run.stdout)).toContain('Your changes stay: src/notes.txt');
    expect(project.json('status').tasks).toMatchObject({ done: 2, blocked: 1 });
  });

  it('while an attempt runs stays in a file that an earlier attempt broke, and both versions are kept', async () => {
    const named = (path: string, content: string): ScenarioAction[] => [
      { action: 'tool', name: 'Write', input: { file_path: path, content } },
      write(path, content),
    ];
    const untilFixed: ScenarioAction = {
      action: 'run',
      argv: ['sh', '-c', 'until grep -q fixed src/app.js; do sleep 0.05; done'],
    };
    const first: ScenarioAction[][] = [
      [...named('src/app.js', 'BROKEN by the agent\n'), claim()],
      [...named('src/other.js', 'BROKEN too\n'), untilFixed, claim()],
    ];
    const by = { 'T-1': first, 'T-2': GOOD('src/two.js'), 'T-3': GOOD('src/three.js') };
    const scenario = JSON.stringify({ output: 'claude-stream', ...JSON.parse(tasks(by)) });
    const project = makeProject({ ...FILES, '.ralph/scenario.json': scenario });
    const run = project.start('run');
    await project.appears('src/other.js');
    project.write('src/app.js', 'fixed by me\n');
    const { code, stdout } = await run.ended;
    expect(code).toBe(4);
    expect(project.read('src/app.js')).toBe('fixed by me\n');
    expect(project.exists('src/other.js')).toBe(false);
    expect(flat(stdout)).toContain('Both of you changed src/app.js');
    expect(project.json('status').tasks).toMatchObject({ done: 2, blocked: 1 });
    const refs = git(project.root, 'for-each-ref', '--format=%(refname)', 'refs/ralph').trim().split('\n');
    const versions = refs.map((ref) => git(project.root, 'show', `${ref}:src/app.js`));
    expect(versions).toEqual(expect.arrayContaining(['BROKEN by the agent', 'fixed by me']));
  });

  it('in the task list counts: the work of a task that you remove goes, too', async () => {
    const project = night([[write('src/app.js', 'BROKEN\n')]]);
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    project.write('.ralph/PRD.md', project.read('.ralph/PRD.md').replace('- [ ] **T-1** Write one\n', ''));
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/app.js')).toBe('one\ntwo\nthree\n');
  });

  it('may be why a gate fails: no attempt is used up, it counts against no other task, and is reported', async () => {
    const work = (text: string) => [write('src/new.js', text), claim('src/new.js:1 works')];
    const project = night([[write('src/new.js', 'begun\n')], work('more\n'), work('all\n')]);
    expect(await project.start('run', '--max-iterations', '1').ended).toMatchObject({ code: 3 });
    project.write('src/mine.js', 'BROKEN by me\n');
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 5 });
    expect(project.iteration(2).decisions.verdict).toMatchObject({ kind: 'gates_unclear', gates: ['check'] });
    expect(flat(run.stdout)).toContain('It may be yours: you changed src/mine.js since "check" passed.');
    expect(flat(run.stdout)).toContain('Checks fail: "check"');
    expect(project.read('src/mine.js')).toBe('BROKEN by me\n');
    expect(project.json('status').tasks).toMatchObject({ done: 2 });
  });
});
