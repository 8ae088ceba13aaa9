/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import {
  attempts,
  blocked,
  claim,
  makeProject,
  type Project,
  SHELL_CLAIM,
  shellAgent,
  withoutBox,
} from '../helpers/cli.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';

/**
 * Returns a project with three tasks in a list that git tracks. The first and the last get done, the second is given
 * up.
 */
function projectWith(commit: string, files: Record<string, string> = {}): Project {
  const project = makeProject({
    'PRD.md': LIST,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[tracker]\npath = "PRD.md"\n[git]\ncommit = "${commit}"\n`,
    '.ralph/scenario.json': JSON.stringify({
      steps: [
        {
          when: { task: 'T-2' },
          do: [blocked('Which colour?')],
        },
      ],
      otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
    }),
    ...files,
  });
  project.remove('.ralph/PRD.md');
  // A project without entries in .gitignore gets them at its first run, as from `ralph init`.
  project.ralph('status');
  project.write('.ralph/.gitignore', '*\n!.gitignore\n!ralph.toml\n!scenario.json\n');
  project.commitAll('start');
  return project;
}

const MARKS = /^- \[(.)\]/gm;
const marksIn = (text: string) => [...text.matchAll(MARKS)].map(([, mark]) => mark).join('');

describe('the tick of a task list that git tracks', () => {
  it.each(['on_done', 'every_iteration'])(
    '%s: is in a commit of its own at the end of the run; a block is in none',
    (commit) => {
      const project = projectWith(commit);
      expect(project.ralph('run').code).toBe(4);
      expect(marksIn(project.read('PRD.md'))).toBe('x-x');
      expect(project.git('status', '--porcelain').trim()).toBe('M PRD.md');
      expect(marksIn(project.git('show', 'HEAD:PRD.md'))).toBe('x x');
      expect(project.git('log', '--format=%s', '-4').split('\n')).toEqual([
        'Mark what is done',
        'Three (T-3)',
        'One (T-1)',
        'start',
      ]);
      const files = (commit: string) => project.git('show', '--format=', '--name-only', commit);
      expect(['HEAD', 'HEAD~1', 'HEAD~2'].map(files)).toEqual(['PRD.md', 'T-3.txt', 'T-1.txt']);
    },
  );

  it('blocks no revert of a task', () => {
    const project = projectWith('on_done');
    project.ralph('run');
    for (const id of ['T-1', 'T-3']) {
      const commit = project.git('log', '--format=%H', `--grep=(${id})$`);
      project.git('checkout', '-q', '-f', 'HEAD', '--', '.');
      project.git('revert', '--no-edit', commit);
      expect(project.exists(`${id}.txt`)).toBe(false);
    }
    expect(marksIn(project.git('show', 'HEAD:PRD.md'))).toBe('x x');
  });

  it.each([
    ['uncommitted', false],
    ['staged', true],
  ])('your %s edits of the list stay yours', (_name, isStaged) => {
    const project = projectWith('on_done');
    const mine = LIST.replace('Three', 'Three, and more').replace('# Plan', '# My plan');
    project.write('PRD.md', mine);
    if (isStaged) project.git('add', 'PRD.md');
    project.ralph('run', '--task', 'T-1');
    const ticked = (text: string) => text.replace('[ ] **T-1**', '[x] **T-1**').trimEnd();
    expect(project.git('show', 'HEAD:PRD.md')).toBe(ticked(LIST));
    expect(project.read('PRD.md').trimEnd()).toBe(ticked(mine));
    expect(project.git('show', ':PRD.md')).toBe(ticked(isStaged ? mine : LIST));
    expect(project.git('status', '--porcelain')).toBe(isStaged ? 'M  PRD.md' : ' M PRD.md');
  });

  it('a task that only your uncommitted list has: its work is committed, the list stays yours', () => {
    const project = projectWith('on_done');
    project.write('PRD.md', `${LIST}- [ ] **T-4** Four\n`);
    project.ralph('run', '--task', 'T-4');
    expect(project.git('show', '--format=%s', '--name-only')).toBe('Four (T-4)\n\nT-4.txt');
    expect(project.git('diff', '--stat')).toContain('PRD.md');
  });
});

it('a key without effect is a warning where it is set', () => {
  const project = makeProject({
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[git]\nmessage = "x"\n[box]\nmode = "off"\nwritable = ["x"]\n[tracker]\nclose_on_done = true\n',
  });
  const warned = project
    .json('doctor')
    .findings.filter(({ id }: { id: string }) => id === 'config.warning')
    .map(({ title }: { title: string }) => title);
  expect(warned).toEqual(['.ralph/ralph.toml:4', '.ralph/ralph.toml:7', '.ralph/ralph.toml:9']);
  expect(project.ralph('status').stderr).toContain('.ralph/ralph.toml:4: [git] message has no effect');
});

describe('what is verified and waits', () => {
  const NAMES = [
    'a b.txt',
    "it's.txt",
    '-n.txt',
    '*.txt',
    ':!x.txt',
    '$(touch pwned).txt',
    'tab\tline\n.txt',
  ];

  it('is in the summary with its reason and the command that lands it', () => {
    const project = makeProject({
      ...Object.fromEntries(NAMES.map((name) => [name, 'old\n'])),
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\nmessage = "{task_id}: it\'s {title}"\n',
      '.ralph/scenario.json': attempts([
        ...NAMES.map((path) => ({ action: 'write' as const, path, content: 'new\n' })),
        { action: 'write', path: 'fresh.txt', content: 'new\n' },
        claim('fresh.txt:1 new'),
      ]),
    });
    project.write('a b.txt', 'mine\n');
    const document = project.json('run');
    expect(document).toMatchObject({
      ...{ exit_code: 5, ending: 'awaiting_human', next: [expect.stringMatching(/^ralph land/)] },
      not_committed: [{ id: 'T-1', next: expect.stringMatching(/^ralph land/) }],
    });
    expect(document.not_committed[0].why).toContain('you changed what it changes, too (a b.txt)');
    expect(project.ralph('land', 'T-1').code).toBe(1);
    project.git('checkout', 'HEAD', '--', 'a b.txt');
    expect(project.ralph('land', 'T-1').code).toBe(0);
    expect(project.git('log', '-2', '--format=%s')).toBe("Mark what is done\nT-1: it's Write the parser");
    expect(project.git('show', '--format=', '--name-only', '-z', 'HEAD~1').split('\0').toSorted()).toEqual(
      ['', ...NAMES, 'fresh.txt'].toSorted(),
    );
    expect(project.git('status', '--porcelain', '--', '.', ':!.ralph')).toBe('');
    expect(project.exists('pwned')).toBe(false);
  });

  it('behind another one that you keep from landing: it says which', () => {
    const project = projectWith('on_done');
    project.write('T-1.txt', 'mine\n');
    const { not_committed: waiting } = project.json('run');
    const mine = 'you changed what it changes, too (T-1.txt).';
    const next = expect.stringMatching(/^ralph land/);
    expect(waiting).toMatchObject([
      { id: 'T-1', why: mine, next },
      { id: 'T-3', why: `T-1 lands first, and waits: ${mine}`, next },
    ]);
    project.remove('T-1.txt');
    expect(project.json('land').landed.map(({ task }: { task: string }) => task)).toEqual(['T-1', 'T-3']);
  });

  it('because of a hook: on the screen, too', () => {
    const project = projectWith('on_done');
    const settings = project.read('.ralph/ralph.toml');
    project.write('.ralph/ralph.toml', `${settings}[gates]\ncommands = [{ name = "unit", run = "true" }]\n`);
    project.commitAll('a gate');
    project.write('.git/hooks/pre-commit', '#!/bin/sh\necho "no lint for you" >&2\nexit 1\n', 0o755);
    const { stdout } = project.ralph('run', '--task', 'T-1');
    const output = stdout.replace(/\s+/g, ' ');
    expect(output).toContain('T-1 is verified and waits: its commit hooks ended with 1: no lint for you');
    expect(project.exists('T-1.txt')).toBe(false);
    const again = project.ralph('land');
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('no lint for you');
    // A hook that changes the commit must not change what lands: only what was verified lands.
    project.write('.git/hooks/pre-commit', '#!/bin/sh\necho more >> T-1.txt\ngit add T-1.txt\n', 0o755);
    expect(project.ralph('land').stdout).toContain('It waits: its commit hooks change it.');
    project.remove('.git/hooks/pre-commit');
    const landed = project.ralph('run', '--max-iterations', '0').stdout;
    expect(landed).toContain('gates: unit');
    expect(landed).not.toContain('meanwhile');
    expect(project.git('log', '-2', '--format=%s')).toBe('Mark what is done\nOne (T-1)');
    expect(project.read('T-1.txt')).toBe('work\n');
    expect(project.git('status', '--porcelain', '-uno')).toBe('');
  });
});

it('what hooks print is one line, and a message that they refuse names its setting', () => {
  const project = projectWith('on_done');
  const commitlint = [
    '#!/bin/sh',
    'grep -q "^feat: " "$1" && exit 0',
    'echo "⧗   input: $(head -n 1 "$1")"',
    'printf "✖   subject may not be empty [subject-empty]\\n\\n✖   type may not be empty [type-empty]\\n" >&2',
    'exit 1\n',
  ];
  project.write('.git/hooks/commit-msg', commitlint.join('\n'), 0o755);
  const run = project.ralph('run', '--task', 'T-1');
  const reason =
    'its commit hooks ended with 1: ⧗   input: One (T-1); ✖   subject may not be empty [subject-empty]; ✖   type may not be empty [type-empty]. Its message was "One (T-1)": [git] message sets the form.';
  expect(project.json('report').not_committed).toMatchObject([
    { id: 'T-1', why: reason, next: 'ralph land T-1' },
  ]);
  for (const text of [run.stdout, project.ralph('report').stdout, project.ralph('status').stdout])
    expect(text).not.toContain('\\n');
});

it('a hook that refuses what is in a commit says nothing of its message', () => {
  const project = projectWith('on_done');
  project.write('.git/hooks/pre-commit', '#!/bin/sh\necho "no lint for you"\nexit 1\n', 0o755);
  const [{ why }] = project.json('run', '--task', 'T-1').not_committed;
  expect(why).toBe('its commit hooks ended with 1: no lint for you.');
});

it.each(['日本語/ünï', 'ends-in-a-no-break-space\u00a0'])(
  'a branch may have any name, and what agents check out in their copies is their business: %s',
  (branch) => {
    const project = projectWith('on_done');
    project.git('branch', 'other');
    project.git('checkout', '-q', '-b', branch);
    project.write(
      '.ralph/scenario.json',
      JSON.stringify({
        steps: [{ when: { task: 'T-2' }, do: [{ action: 'run', argv: ['git', 'checkout', '-q', 'other'] }] }],
        otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
      }),
    );
    project.commitAll('another agent');
    project.ralph('run', '--max-iterations', '2');
    expect(project.git('log', '--format=%s', '-3').split('\n')).toEqual([
      'Mark what is done',
      'One (T-1)',
      'another agent',
    ]);
    expect(project.read('.git/HEAD')).toBe(`ref: refs/heads/${branch}\n`);
  },
);

describe('when you check out another branch during a run', () => {
  withoutBox();

  it('results and marks land where it began, and it says so', () => {
    const project = projectWith('on_done', {
      '.ralph/ralph.toml': `${shellAgent()}[tracker]\npath = "PRD.md"\n[git]\ncommit = "on_done"\n`,
    });
    const agent = `cat > /dev/null\n[ "$RALPH_TASK_ID" = T-2 ] && git -C '${project.root}' checkout -qb feature\necho work > $RALPH_TASK_ID.txt\n${SHELL_CLAIM}`;
    project.write('agent.sh', agent);
    project.commitAll('an agent');
    const { code, stdout } = project.ralph('run');
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Results and marks land on main, where the run began; another branch is checked out by now: git switch -m main',
    );
    expect(stdout).toContain('Next: git log --stat -3 main');
    const subjects = (range: string) => project.git('log', '--format=%s', range).split('\n');
    expect(subjects('feature..main')).toEqual(['Mark what is done', 'Three (T-3)', 'Two (T-2)']);
    expect(subjects('main..feature')).toEqual(['']);
    project.git('switch', '-q', '-m', 'main');
    expect(project.git('status', '--porcelain', '-uno')).toBe('');
    const statuses = project.json('tasks').tasks.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['done', 'done', 'done']);
  });
});

it('what a rollback took back and you land again is done, and its tick is committed', () => {
  const project = projectWith('on_done');
  project.ralph('run', '--task', 'T-1');
  expect(project.json('rollback').reopened).toEqual(['T-1']);
  expect(project.ralph('land', 'T-1').code).toBe(0);
  expect(project.read('T-1.txt')).toBe('work\n');
  expect(project.json('tasks').tasks[0]).toMatchObject({ id: 'T-1', status: 'done' });
  expect(project.git('status', '--porcelain', '-uno')).toBe('');
});

describe('a branch of its own', () => {
  const strategy = (name: string) => {
    const project = projectWith('on_done');
    project.write(
      '.ralph/ralph.toml',
      project.read('.ralph/ralph.toml').replace('[git]\n', `[git]\nbranch_strategy = "${name}"\n`),
    );
    project.commitAll('a strategy');
    const before = project.git('rev-parse', 'HEAD');
    expect(project.ralph('run').code).toBe(4);
    expect([project.git('rev-parse', 'HEAD'), project.git('symbolic-ref', 'HEAD')]).toEqual([
      before,
      'refs/heads/main',
    ]);
    expect(project.git('status', '--porcelain').trim()).toBe('M PRD.md');
    return project;
  };
  const subjects = (project: Project, branch: string) =>
    project.git('log', '--format=%s', `main..${branch}`).split('\n');

  it('for each run holds what is done; the checkout is left alone', () => {
    const project = strategy('per_run');
    const [branch = ''] = project
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph')
      .split('\n');
    expect(subjects(project, branch)).toEqual(['Three (T-3)', 'One (T-1)']);
    expect(project.json('report').done_in_run).toMatchObject([{ branch }, { branch }]);
  });

  it('for each task begins where the one before ended', () => {
    const project = strategy('per_task');
    expect(project.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph').split('\n')).toEqual([
      'ralph/T-1',
      'ralph/T-3',
    ]);
    expect(subjects(project, 'ralph/T-1')).toEqual(['One (T-1)']);
    expect(project.ralph('report', '--format', 'markdown').stdout).toContain(' on `ralph/T-3` |');
    expect(subjects(project, 'ralph/T-3')).toEqual(['Three (T-3)', 'One (T-1)']);
  });
});
