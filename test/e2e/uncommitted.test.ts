/** @module-tag slow */

import { chmodSync, statSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, ONE_TASK, type Project, type ProjectFiles, withoutBox } from '../helpers/cli.ts';
import { runTestGit } from '../helpers/repository.ts';

const git = (root: string, ...args: string[]): string => runTestGit(root, args);

const COMMITTED = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const EDITED = 'one\ntwo\nMINE\nthree\nfour\nfive\nsix\nseven\neight\n';

const FILES: ProjectFiles = {
  '.gitignore': '.ralph/\n',
  'src/edited.txt': COMMITTED,
  'src/staged.txt': COMMITTED,
  'src/both.txt': COMMITTED,
  'src/gone.txt': COMMITTED,
  'src/run.sh': 'echo\n',
};

const WORK: ScenarioAction = { action: 'write', path: 'src/parser.ts', content: 'export {};\n' };
const DONE = claim('src/parser.ts:1 the parser');

type Way = readonly [name: string, actions: readonly ScenarioAction[]];

/** The command ends with 0 in any case, because what isn't in the copy, such as your stashes, can't be found there. */
const shell = (command: string): ScenarioAction => ({ action: 'shell', command: `${command}; true` });

/** Returns a repository with uncommitted work of every kind and stashes. No review stops the actions. */
function withWork(actions: readonly ScenarioAction[], more: ProjectFiles = {}): Project {
  const scenario = { output: 'claude-stream', steps: [{ do: actions }] };
  const config = '[loop]\nagent = "scripted"\n\n[review]\nenabled = false\n';
  const project = makeProject({
    ...FILES,
    ...{ '.ralph/ralph.toml': config, '.ralph/scenario.json': JSON.stringify(scenario) },
    ...more,
  });
  const { root } = project;
  for (const text of ['first', 'second']) {
    project.write('src/edited.txt', `${text} stashed\n`);
    git(root, 'stash', 'push', '-q', '-m', text);
  }
  project.write('src/edited.txt', EDITED);
  project.write('src/staged.txt', EDITED);
  project.write('src/new-staged.txt', 'new, staged\n');
  git(root, 'add', 'src/staged.txt', 'src/new-staged.txt');
  project.write('src/both.txt', 'staged version\n');
  git(root, 'add', 'src/both.txt');
  project.write('src/both.txt', EDITED);
  git(root, 'rm', '-q', 'src/gone.txt');
  project.write('notes/new file é.bin', 'a\u0000b, untracked\n');
  project.write('notes/tool.sh', 'echo mine\n');
  chmodSync(project.path('notes/tool.sh'), 0o755);
  chmodSync(project.path('src/run.sh'), 0o755);
  return project;
}

/** Returns everything of yours that isn't committed, byte for byte. */
function workOf({ root, read, path }: Project) {
  const names = [
    'src/edited.txt',
    'src/staged.txt',
    'src/new-staged.txt',
    'src/both.txt',
    'notes/new file é.bin',
  ];
  return {
    files: names.map((name) => [name, read(name)]),
    modes: ['notes/tool.sh', 'src/run.sh'].map((name) => (statSync(path(name)).mode & 0o111) !== 0),
    index: git(root, 'diff', '--cached', '--raw', '--abbrev=40', '--', 'src', 'notes'),
    status: git(root, 'status', '--porcelain', '-uall', '--', 'src', 'notes')
      .split('\n')
      .filter((line) => line !== '?? src/parser.ts'),
    stash: git(root, 'stash', 'list', '--format=%H %gs'),
  };
}

const WAYS: readonly Way[] = [
  ['git checkout -- .', [shell('git checkout -- .')]],
  ['git checkout HEAD -- .', [shell('git checkout HEAD -- .')]],
  ['git checkout -f', [shell('git checkout -q -f')]],
  ['git switch -f', [shell('git switch -q -C try && git switch -q -f main')]],
  ['git restore', [shell('git restore --staged --worktree .')]],
  ['git reset --hard', [shell('git reset -q --hard')]],
  ['git clean -fd', [shell('git clean -q -fd notes src')]],
  ['git stash', [shell('git stash -q')]],
  ['git stash -u', [shell('git stash -q -u')]],
  ['git stash and a pop without the index', [shell('git stash -q && git stash pop -q')]],
  ['git stash drop', [shell('git stash drop -q')]],
  ['git stash clear', [shell('git stash clear')]],
  ['git stash pop of yours', [shell('git reset -q --hard; git stash pop -q')]],
  ['git reset of the index alone', [shell('git reset -q')]],
  ['git add over what you staged', [shell('git add src/both.txt')]],
  ['rm', [shell('rm -rf notes src/edited.txt src/both.txt')]],
  ['git rm -f', [shell('git rm -q -f src/staged.txt')]],
  ['emptying', [shell(': > src/edited.txt; cp /dev/null src/both.txt; truncate -s 0 src/new-staged.txt')]],
  ['writing what is committed', [shell('git show HEAD:src/edited.txt > src/edited.txt')]],
  [
    'a script of the agent',
    [
      { action: 'write', path: 'reset.sh', content: 'git reset -q --hard\ngit clean -q -fd notes\n' },
      shell('sh reset.sh; rm reset.sh'),
    ],
  ],
  ['a program that no stream names', [{ action: 'run', argv: ['git', 'reset', '-q', '--hard'] }]],
  [
    'its delete tool',
    [
      { action: 'delete', path: 'src/edited.txt' },
      { action: 'delete', path: 'src/both.txt' },
    ],
  ],
];

/** The results of these acts change files that you changed, too, so they wait for you. */
const WAIT: ReadonlySet<string> = new Set(['rm', 'git rm -f', 'emptying', 'its delete tool']);

function stays(ways: readonly Way[]): void {
  it.each(ways)('stays as it is through %s', async (name, actions) => {
    const project = withWork([...actions, WORK, DONE]);
    const before = workOf(project);
    const run = await project.jsonLater('run');
    expect([workOf(project), run.exit_code]).toEqual([before, WAIT.has(name) ? 5 : 0]);
    expect(run.not_committed.map(({ id }: { id: string }) => id)).toEqual(WAIT.has(name) ? ['T-1'] : []);
    expect(project.exists('src/parser.ts')).toBe(!WAIT.has(name));
    expect(git(project.root, 'fsck', '--no-dangling')).toBe('');
  });
}

describe.concurrent('your uncommitted work', () => {
  stays(WAYS);

  it('stays as it is through gates that destroy theirs', async () => {
    const config =
      '[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "check", run = "rm -rf notes src/edited.txt; git reset -q --hard; true" }]\n';
    const project = withWork([WORK, DONE], { '.ralph/ralph.toml': config });
    const before = workOf(project);
    expect(await project.jsonLater('run')).toMatchObject({ exit_code: 0 });
    expect(workOf(project)).toEqual(before);
  });

  it('waits for no task that changes what you changed: that lands once yours is out of its way', async () => {
    const project = withWork(
      [{ action: 'append', path: 'src/edited.txt', content: 'theirs\n' }, claim('src/edited.txt:9 theirs')],
      { '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n' },
    );
    const { not_committed: waiting } = await project.jsonLater('run');
    expect(waiting).toMatchObject([{ id: 'T-1', next: expect.stringMatching(/^ralph land/) }]);
    expect(waiting[0].why).toContain('src/edited.txt');
    expect(project.read('src/edited.txt')).toBe(EDITED);
    project.git('stash', 'push', '-q', '--', 'src/edited.txt');
    expect(project.json('land')).toMatchObject({ landed: [{ task: 'T-1' }], waiting: null });
    expect(project.read('src/edited.txt')).toBe(`${COMMITTED}theirs\n`);
    // As after a pull, your version comes back over what landed.
    project.git('stash', 'pop', '-q');
    expect(project.read('src/edited.txt')).toBe(`${EDITED}theirs\n`);
  });

  it("isn't part of what an agent sees, and is named at the start", async () => {
    const project = withWork([shell('test ! -e notes && cp src/edited.txt seen.txt'), WORK, DONE]);
    const run = await project.start('run').ended;
    expect(run.stdout.replace(/\s+/g, ' ')).toContain("agents work from your last commit and don't see them");
    expect(project.read('seen.txt')).toBe(COMMITTED);
  });

  it('keeps a task from being begun that names some of it', () => {
    const project = withWork([WORK, DONE], {
      '.ralph/PRD.md': ONE_TASK.replace('Write the parser', 'Write the parser from `notes/tool.sh`.'),
    });
    const { code, stderr } = project.ralph('run');
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain("T-1 names notes/tool.sh, which isn't committed");
    project.git('add', 'notes/tool.sh');
    project.git('commit', '-q', '-m', 'a tool', 'notes/tool.sh');
    expect(project.ralph('run').code).toBe(0);
  });
});

describe('uncommitted files that are asked for with [box] seed', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ['above a layer', {}],
    ['copied', { RALPH_LAYERS: 'off' }],
    ['without a box', { RALPH_BOX_MODE: 'off' }],
  ])('are seen %s, may be changed there, and nothing of them lands', async (_how, env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const look = 'cat notes/tool.sh > seen.txt; echo theirs >> notes/tool.sh; echo new > notes/new.txt';
    const project = withWork([shell(look), WORK, DONE], {
      '.ralph/ralph.toml': `[loop]
agent = "scripted"
[review]
enabled = false
[git]
commit = "on_done"
[box]
seed = ["notes/"]
[gates]
commands = [{ name = "has it", run = "test -f notes/tool.sh" }]
`,
    });
    const before = workOf(project);
    const run = await project.start('run').ended;
    expect([run.code, project.read('seen.txt')], run.stdout + run.stderr).toEqual([0, 'echo mine\n']);
    expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'notes/new.txt',
      'seen.txt',
      'src/parser.ts',
    ]);
    expect(workOf(project)).toEqual(before);
    expect(run.stdout).not.toContain('notes/tool.sh');
  });
});

describe('a run that is killed after an attempt did its work', () => {
  it('leaves yours as it is, and the work counts with the next attempt', async () => {
    const project = withWork([shell('git reset -q --hard; git clean -q -fd'), WORK, { action: 'hang' }]);
    const before = workOf(project);
    const first = project.start('run');
    await project.appears('src/parser.ts');
    first.child.kill('SIGKILL');
    await first.ended;
    expect(workOf(project)).toEqual(before);
    const scenario = { output: 'claude-stream', steps: [{ do: [DONE] }] };
    project.write('.ralph/scenario.json', JSON.stringify(scenario));
    const second = await project.start('run').ended;
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(workOf(project)).toEqual(before);
    expect(project.read('src/parser.ts')).toBe('export {};\n');
    expect(project.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
  });
});

describe.concurrent('your uncommitted work without a box', () => {
  withoutBox();
  // These acts reach the checkout by a relative path, or through git.
  stays(
    WAYS.filter(([name]) => /^(?:git checkout -- \.|git stash -u|git stash clear|rm|a script.*)$/.test(name)),
  );
});

describe('what an agent made itself', () => {
  const MADE: readonly ScenarioAction[] = [
    shell('f=$(mktemp) && echo a > "$f" && cat "$f" && rm -f "$f"'),
    shell('mkdir -p "$TMPDIR/build" && touch "$TMPDIR/build/a"'),
    shell('rm -rf "$TMPDIR/build"'),
    shell(`d=$(mktemp -d); trap 'rm -rf "$d"' EXIT; echo "$d"`),
    shell('mkdir /tmp/ralph-e2e-made && touch /tmp/ralph-e2e-made/a'),
    shell('rm -rf /tmp/ralph-e2e-made'),
  ];
  const cases = () =>
    it('is removed by it, and what is denied for caution escalates nothing', async () => {
      const failing = [...MADE, shell('rm -f /tmp/ralph-e2e-not-there'), shell('rm -rf /tmp/$NAME')];
      const steps = [1, 2, 3].map((attempt) => ({
        when: { attempt },
        do: [...failing, ...failing, ...(attempt === 3 ? [WORK, DONE] : [])],
      }));
      const project = makeProject({
        '.ralph/scenario.json': JSON.stringify({ output: 'claude-stream', steps }),
      });
      const run = await project.jsonLater('run');
      expect(run).toMatchObject({ exit_code: 0, denied_actions: { count: 0 } });
      for (const number of project.iterations()) {
        const { facts, decisions } = project.iteration(number);
        expect(facts.review).toMatchObject({ allowed: 14, denied: 0, harmless: 2, blocked: [] });
        const types = decisions.findings.map(({ type }) => type);
        expect(types.filter((type) => /action_denied|repetitive/.test(type))).toEqual([]);
      }
      expect(project.json('incidents').incidents ?? []).toEqual([]);
    });

  describe('in a box', cases);
  describe('without a box', () => {
    withoutBox();
    cases();
  });
});
