import { chmodSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

const shell = (command: string): ScenarioAction => ({ action: 'shell', command });

/** A repository with uncommitted work of every kind, and a list of stashes. No review stops what destroys it. */
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

/** Everything of yours that isn't committed, byte for byte. */
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

/** What happened to the files, as the record has it. */
const lostIn = (project: Project) => project.iteration(1).facts.lostWork;
const typesIn = (project: Project) => project.iteration(1).decisions.findings.map(({ type }) => type);
const flat = (text: string) => text.replace(/\s+/g, ' ');

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
  ['git rm -f', [shell('git rm -q -f src/staged.txt src/new-staged.txt')]],
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
      { action: 'delete', path: 'notes' },
    ],
  ],
];

function putBack(ways: readonly Way[]): void {
  it.each(ways)('comes back after %s', async (name, actions) => {
    const project = withWork([...actions, WORK, DONE]);
    const before = workOf(project);
    const run = await project.start('run').ended;
    expect([workOf(project), run.code]).toEqual([before, 0]);
    expect(project.read('src/parser.ts')).toBe('export {};\n');
    // Staging more than you had staged loses nothing.
    const isLoss = name !== 'git add over what you staged';
    expect(typesIn(project).includes('user_work_destroyed')).toBe(isLoss);
    expect(lostIn(project).every(({ kept }) => kept === null)).toBe(true);
    if (isLoss)
      expect(flat(run.stdout)).toContain('Uncommitted work of yours was undone by an attempt and put back');
    expect(project.events().filter(({ event_type }) => event_type === 'user_work_destroyed')).toHaveLength(
      isLoss ? 1 : 0,
    );
  });
}

describe.concurrent('uncommitted work of yours that an attempt destroys', () => {
  putBack(WAYS);

  it('comes back after a gate destroyed it, which says nothing against the agent', async () => {
    const config =
      '[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "check", run = "rm -r notes src/edited.txt; git show HEAD:src/both.txt > src/both.txt; true" }]\n';
    const project = withWork([WORK, DONE], { '.ralph/ralph.toml': config });
    const before = workOf(project);
    const run = await project.start('run').ended;
    expect(workOf(project)).toEqual(before);
    expect(flat(run.stdout)).toContain('put back');
    expect(lostIn(project).some(({ by }) => by === 'agent')).toBe(false);
    expect(lostIn(project).some(({ by }) => by === 'gates')).toBe(true);
  });

  it('comes back under what the agent wrote since into the same file', async () => {
    const text = COMMITTED.replace('eight', 'eight\nTHEIRS');
    const project = withWork([
      shell('git checkout -- src/edited.txt'),
      { action: 'write', path: 'src/edited.txt', content: text },
      WORK,
      DONE,
    ]);
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/edited.txt')).toBe(EDITED.replace('eight', 'eight\nTHEIRS'));
  });

  it('is named to the agent in its next attempt, and comes back after each of them', async () => {
    const steps = [
      { when: { attempt: 1 }, do: [shell('git checkout -- .')] },
      { when: { attempt: 2 }, do: [shell('git reset -q --hard'), WORK, DONE] },
    ];
    const scenario = JSON.stringify({ output: 'claude-stream', steps });
    const project = withWork([], { '.ralph/scenario.json': scenario });
    const before = workOf(project);
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(workOf(project)).toEqual(before);
    expect(project.promptOf(2)).toContain('you undid uncommitted work of the user');
    expect(project.promptOf(2)).toContain('src/edited.txt');
  });

  it('comes back as it was before the series, whatever the agent had added to it', async () => {
    const steps = [
      { when: { attempt: 1 }, do: [{ action: 'append', path: 'src/edited.txt', content: 'theirs\n' }] },
      { when: { attempt: 2 }, do: [shell('git checkout -- src/edited.txt'), WORK, DONE] },
    ];
    const scenario = JSON.stringify({ output: 'claude-stream', steps });
    const project = withWork([], { '.ralph/scenario.json': scenario });
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/edited.txt')).toBe(EDITED);
  });
});

describe('a run that is killed after an attempt did its work and destroyed yours', () => {
  it('puts yours back at the next start, and the work counts with the next attempt', async () => {
    const project = withWork([
      shell('git reset -q --hard; git clean -q -fd notes'),
      WORK,
      { action: 'hang' },
    ]);
    const before = workOf(project);
    const first = project.start('run');
    await project.appears('src/parser.ts');
    first.child.kill('SIGKILL');
    await first.ended;
    expect(project.exists('notes/tool.sh')).toBe(false);
    const scenario = { output: 'claude-stream', steps: [{ do: [DONE] }] };
    project.write('.ralph/scenario.json', JSON.stringify(scenario));
    const second = await project.start('run').ended;
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(workOf(project)).toEqual(before);
    expect(project.read('src/parser.ts')).toBe('export {};\n');
    expect(flat(second.stdout + second.stderr)).toContain('put back');
    expect(project.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
  });
});

describe.concurrent('uncommitted work that an attempt may change', () => {
  it('is edited further without a finding', async () => {
    const project = withWork([
      { action: 'append', path: 'src/edited.txt', content: 'theirs\n' },
      { action: 'edit', path: 'src/staged.txt', find: 'MINE', replace: 'MINE and theirs' },
      { action: 'rename', from: 'notes/tool.sh', to: 'src/tool.sh' },
      WORK,
      DONE,
    ]);
    expect(await project.start('run').ended).toMatchObject({ code: 0 });
    expect(project.read('src/edited.txt')).toBe(`${EDITED}theirs\n`);
    expect(project.exists('src/tool.sh') && !project.exists('notes/tool.sh')).toBe(true);
    expect(typesIn(project)).not.toContain('user_work_destroyed');
  });

  it('stays gone where the task asks for that, and is kept', async () => {
    const project = withWork([shell('rm src/edited.txt'), WORK, DONE], {
      '.ralph/PRD.md': ONE_TASK.replace('Write the parser', 'Write the parser, and remove src/edited.txt'),
    });
    const run = await project.start('run').ended;
    expect(run).toMatchObject({ code: 0 });
    expect(project.exists('src/edited.txt')).toBe(false);
    const [, kept = ''] = /ralph checkpoints diff (kept\/\d+)/.exec(run.stdout) ?? [];
    expect(git(project.root, 'show', `refs/ralph/checkpoints/${kept}:src/edited.txt`)).toBe(EDITED.trim());
    expect(typesIn(project)).not.toContain('user_work_destroyed');
  });

  it('is kept where the agent wrote something else in its place', async () => {
    const project = withWork([
      { action: 'write', path: 'notes/new file é.bin', content: 'rewritten\n' },
      WORK,
      DONE,
    ]);
    const run = await project.start('run').ended;
    expect(project.read('notes/new file é.bin')).toBe('rewritten\n');
    const [, kept = ''] = /ralph checkpoints diff (kept\/\d+)/.exec(run.stdout) ?? [];
    expect(git(project.root, 'show', `refs/ralph/checkpoints/${kept}:notes/new file é.bin`)).toBe(
      'a\u0000b, untracked',
    );
  });
});

describe.concurrent('uncommitted work without a box', () => {
  withoutBox();
  // What makes a difference there: the index, refs and files outside of a read-only place.
  putBack(
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
