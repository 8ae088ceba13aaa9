import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../helpers/adversaries/token.ts';
import { attempts, claim, makeProject, type Project } from '../helpers/cli.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';

/** Three tasks in a list that git tracks: the first and the last get done, the second one is given up. */
function projectWith(commit: string, files: Record<string, string> = {}): Project {
  const project = makeProject({
    'PRD.md': LIST,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[tracker]\npath = "PRD.md"\n[git]\ncommit = "${commit}"\n`,
    '.ralph/scenario.json': JSON.stringify({
      steps: [
        {
          when: { task: 'T-2' },
          do: [{ action: 'status', status: 'BLOCKED', exit_signal: false, reason: 'Which colour?' }],
        },
      ],
      otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
    }),
    ...files,
  });
  project.remove('.ralph/PRD.md');
  // `ralph init` writes them; a project that has none gets them at its first run.
  project.ralph('status');
  project.write('.ralph/.gitignore', '*\n!.gitignore\n!ralph.toml\n!scenario.json\n');
  project.commitAll('start');
  return project;
}

const MARKS = /^- \[(.)\]/gm;
const marksIn = (text: string) => [...text.matchAll(MARKS)].map(([, mark]) => mark).join('');

/** As you paste it. */
function paste({ root }: Project, command: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

describe('the tick of a task list that git tracks', () => {
  it.each(['on_done', 'every_iteration'])(
    '%s: is in the commit of its task; a block is in none',
    (commit) => {
      const project = projectWith(commit);
      expect(project.ralph('run').code).toBe(4);
      expect(marksIn(project.read('PRD.md'))).toBe('x-x');
      expect(project.git('status', '--porcelain').trim()).toBe('M PRD.md');
      expect(marksIn(project.git('show', 'HEAD:PRD.md'))).toBe('x x');
      expect(project.git('log', '--format=%s', '-3').split('\n')).toEqual([
        'Three (T-3)',
        'One (T-1)',
        'start',
      ]);
      // The tick is in the commit of its task.
      const first = project.git('log', '--format=%H', '--grep=^One (T-1)$');
      expect(project.git('show', '--format=', '--name-only', first).split('\n')).toEqual([
        'PRD.md',
        'T-1.txt',
      ]);
      expect(marksIn(project.git('show', `${first}:PRD.md`))).toBe('x  ');
    },
  );

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

  it.each([
    ['nothing of yours', false],
    ['your edits', true],
  ])(
    'is in your index after a `kill -9` of ralph right behind the commit, with %s staged',
    async (_name, isStaged) => {
      const project = projectWith('on_done');
      project.write('.ralph/ralph.toml', `${project.read('.ralph/ralph.toml')}[box]\nmode = "off"\n`);
      const mine = LIST.replace('# Plan', '# My plan');
      if (isStaged) {
        project.write('PRD.md', mine);
        project.git('add', 'PRD.md');
      }
      // Of the hook: git, the shell around it, ralph.
      const parent = 'ps -o ppid= -p';
      project.write('.git/hooks/post-commit', `#!/bin/sh\nkill -9 $(${parent} $(${parent} $PPID))\n`, 0o755);
      const { code } = await project.start('run', '--trust').ended;
      expect(code).toBe(null);
      const ticked = (isStaged ? mine : LIST).replace('[ ] **T-1**', '[x] **T-1**').trimEnd();
      const staged = () => project.git('diff', '--cached', '--name-only');
      const expected = isStaged ? 'PRD.md' : '';
      // The shell that is left of the commit writes the mark first, then the rest.
      await waitUntil(
        () => project.git('show', ':PRD.md') === ticked && staged() === expected,
        'the index follows',
      );
      expect([project.git('show', ':PRD.md'), staged()]).toEqual([ticked, expected]);
    },
  );

  it('a task that only your uncommitted list has: said, and its work is committed', () => {
    const project = projectWith('on_done');
    project.write('PRD.md', `${LIST}- [ ] **T-4** Four\n`);
    const { stdout } = project.ralph('run', '--task', 'T-4');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      "The mark of T-4 isn't in its commit: PRD.md as committed has no such task.",
    );
    expect(project.git('show', '--format=%s', '--name-only')).toBe('Four (T-4)\n\nT-4.txt');
    expect(project.git('diff', '--stat')).toContain('PRD.md');
  });
});

it('a key without effect is a warning where it is set', () => {
  const project = makeProject({
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[git]\nmessage = "x"\n[box]\nmode = "off"\nwritable = ["x"]\n[tracker]\nlabel = "y"\n',
  });
  const warned = project
    .json('doctor')
    .findings.filter(({ id }: { id: string }) => id === 'config.warning')
    .map(({ title }: { title: string }) => title);
  expect(warned).toEqual(['.ralph/ralph.toml:4', '.ralph/ralph.toml:7', '.ralph/ralph.toml:9']);
  expect(project.ralph('status').stderr).toContain('.ralph/ralph.toml:4: [git] message has no effect');
});

describe('a commit that was skipped', () => {
  const NAMES = [
    'a b.txt',
    "it's.txt",
    '-n.txt',
    '*.txt',
    ':!x.txt',
    '$(touch pwned).txt',
    'tab\tline\n.txt',
  ];

  it('is in the summary with its reason and the command that makes it', () => {
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
    expect(document).toMatchObject({ exit_code: 0, not_committed: [{ id: 'T-1' }] });
    const [{ why, next }] = document.not_committed;
    expect(why).toContain('you had uncommitted changes in a b.txt');
    expect(paste(project, next)).toMatchObject({ code: 0 });
    expect(project.git('log', '-1', '--format=%s')).toBe("T-1: it's Write the parser");
    expect(project.git('show', '--format=', '--name-only', '-z').split('\0').toSorted()).toEqual(
      ['', ...NAMES, '.ralph/PRD.md', 'fresh.txt'].toSorted(),
    );
    expect(project.git('status', '--porcelain', '--', '.', ':!.ralph')).toBe('');
    expect(project.exists('pwned')).toBe(false);
  });

  it('because of a hook: on the screen, too', () => {
    const project = projectWith('on_done');
    project.write('.git/hooks/pre-commit', '#!/bin/sh\necho "no lint for you" >&2\nexit 1\n', 0o755);
    const { stdout } = project.ralph('run', '--task', 'T-1');
    const said = stdout.replace(/\s+/g, ' ');
    expect(said).toContain('T-1 was not committed: git commit ended with 1: no lint for you');
    const command = /^\s+(git add .*)$/m.exec(stdout)?.[1] ?? '';
    project.remove('.git/hooks/pre-commit');
    expect(paste(project, command)).toMatchObject({ code: 0 });
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('log', '-1', '--format=%s')).toBe('One (T-1)');
  });
});

it.each(['日本語/ünï', 'ends-in-a-no-break-space\u00a0'])(
  'a branch may have any name: its commits stay, and HEAD comes back to it: %s',
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
    expect(project.git('log', '--format=%s', '-2').split('\n')).toEqual(['One (T-1)', 'another agent']);
    expect(project.read('.git/HEAD')).toBe(`ref: refs/heads/${branch}\n`);
    expect(project.git('for-each-ref', 'refs/ralph/kept')).toBe('');
  },
);
