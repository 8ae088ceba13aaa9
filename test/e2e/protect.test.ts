import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  BIN,
  makeProject,
  ONE_TASK,
  type Project,
  processesIn,
  SHELL_CLAIM,
  shellAgent,
  withoutBox,
} from '../helpers/cli.ts';
import { finishedOf } from '../helpers/finished.ts';
import { asOrdinaryUser, canBeOrdinary } from '../helpers/ordinary-user.ts';

/** Every file in git's folder keeps its place, and is empty. */
const EMPTY_ALL =
  'find .git -type f | while read -r one; do chmod u+w "$one"; truncate -s 0 "$one"; done 2> /dev/null';
/** Removes all in there that can be removed. */
const REMOVE_ALL = 'rm -rf .git/* 2> /dev/null';
/** Also what ralph writes there while it works. */
const REMOVE_AGAIN = `for one in $(seq 300); do ${REMOVE_ALL}; done`;

/** What of git you would miss, and your uncommitted work. */
function yours({ git, read }: Project) {
  return {
    problems: git('fsck', '--full', '--no-dangling'),
    old: git('show', 'HEAD:second.txt'),
    refs: git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
    stash: git('stash', 'show', '-p'),
    staged: git('diff', '--cached', '--', 'staged.txt'),
    work: read('mine.txt'),
  };
}

const canBind =
  spawnSync('bwrap', ['--dev-bind', '/', '/', '--ro-bind', '/usr', '/usr', 'true']).status === 0;

/** Softens what decides, in the files and in git. */
const SOFTEN = [
  'printf "[completion]\\nrequire = false\\n" >> .ralph/ralph.toml',
  'sed -i "s/\\[ \\]/[x]/" .ralph/PRD.md',
  'mkdir -p .ralph/gates && echo approved > .ralph/gates/G-1.json',
  'git config core.hooksPath .evil',
  'printf "#!/bin/sh\\n" > .git/hooks/post-commit',
  'git branch -f dev HEAD~1',
  'git tag -d v1 >/dev/null',
  'git stash drop -q',
].join('\n');

/** Does it, and waits to be killed; at the second start it works. */
const KILLED_AGENT = `if [ -e ready ]; then echo work > work.txt; ${SHELL_CLAIM}exit 0; fi
${SOFTEN}
echo $$ > ready
sleep 600
`;

function project(agent: string, more: Readonly<Record<string, string>> = {}): Project {
  const made = makeProject({
    '.ralph/ralph.toml': shellAgent(),
    '.gitignore': 'ready\n',
    'agent.sh': agent,
    ...more,
  });
  made.write('second.txt', 'second\n');
  made.commitAll('second');
  made.git('branch', 'dev');
  made.git('tag', 'v1');
  made.write('README.md', 'mine\n');
  made.git('stash', 'push', '-q');
  return made;
}

/** Everything that the agent may not change. */
function kept({ git, read, exists, path }: Project) {
  return {
    config: read('.ralph/ralph.toml'),
    approved: exists('.ralph/gates/G-1.json'),
    git: git('config', '--local', '--list'),
    hooks: exists('.git/hooks') ? readdirSync(path('.git/hooks')) : [],
    refs: git(
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      'refs/heads/dev',
      'refs/tags',
      'refs/stash',
    ),
    stash: git('stash', 'list'),
  };
}

/** With a pack, what is staged, and uncommitted work that is in no commit. */
function workedIn(agent: string): Project {
  const one = project(agent);
  one.git('gc', '-q');
  one.write('third.txt', 'third\n');
  one.commitAll('third');
  one.write('staged.txt', 'staged\n');
  one.git('add', '--', 'staged.txt');
  one.write('mine.txt', 'only here\n');
  return one;
}

async function killed(one: Project): Promise<void> {
  const { child, ended } = one.start('run');
  await one.appears('ready');
  child.kill('SIGKILL');
  await ended;
}

describe.each([
  ['with the box', true],
  ['without one', false],
])("what an agent does to git's folder, %s", (_, isBoxed) => {
  if (!isBoxed) withoutBox();

  it.runIf(canBeOrdinary)('when it takes all permissions away takes nothing of yours', () => {
    const one = workedIn(`chmod -R a-rwx .git/* 2> /dev/null\necho work > work.txt\n${SHELL_CLAIM}`);
    const before = yours(one);
    const { ralph, give, takeBack } = asOrdinaryUser(one.root);
    give();
    const { status, stdout, stderr } = ralph('run');
    takeBack();
    expect([stderr, status, stdout]).toEqual(['', 0, expect.stringContaining('All tasks are done.')]);
    expect(yours(one)).toEqual(before);
  });

  it.each([
    ['empties every file in it', EMPTY_ALL],
    ['removes what is in it', REMOVE_ALL],
    ['removes all of it again and again', REMOVE_AGAIN],
  ])('when it %s takes nothing of yours', (_does, wreck) => {
    const one = workedIn(`${wreck}\nrm -f mine.txt\necho work > work.txt\n${SHELL_CLAIM}`);
    const before = yours(one);
    const { code, stdout } = one.ralph('run');
    expect(yours(one)).toEqual(before);
    expect([code, stdout]).toEqual([0, expect.stringContaining('All tasks are done.')]);
    expect(stdout.replace(/\s+/g, ' ')).toContain('was changed while the agent worked, and was put back');
  });
});

describe('what is protected', () => {
  // In a box none of it can be changed.
  withoutBox();

  it('is as before after an attempt, and what was changed is named', () => {
    const one = project(`echo work > work.txt\n${SOFTEN}\n${SHELL_CLAIM}`);
    const before = kept(one);
    const { stderr, stdout } = one.ralph('run', '--max-iterations', '1');
    expect(kept(one)).toEqual(before);
    expect(stdout + stderr).toContain('was changed while the agent worked, and was put back');
    const { tampering, restored } = one.iteration(1).facts;
    expect(tampering.map(({ path }) => path)).toContain('.ralph/ralph.toml');
    expect(restored.map(({ path, by }) => `${by} ${path}`)).toEqual(
      expect.arrayContaining([
        'agent .git/config',
        'agent refs/heads/dev',
        'agent refs/tags/v1',
        'agent refs/stash',
      ]),
    );
  });

  it('is as before after the gates, which is said', () => {
    const one = project(`echo work > work.txt\n${SHELL_CLAIM}`, {
      '.ralph/ralph.toml': `${shellAgent()}[gates]\ncommands = [{ name = "test", run = "sh gate.sh" }]\n`,
      'gate.sh': `[ -e work.txt ] || exit 0\n${SOFTEN}\n`,
    });
    const before = kept(one);
    const { stderr, stdout } = one.ralph('run', '--max-iterations', '1');
    expect(kept(one)).toEqual(before);
    expect(stdout + stderr).toContain('was changed while the gates ran');
    expect(one.iteration(1).facts.restored).toContainEqual(
      expect.objectContaining({ by: 'gates', path: '.ralph/ralph.toml' }),
    );
  });

  it('comes back at the next start after kill -9, before anything is believed', async () => {
    const one = project(KILLED_AGENT);
    const before = kept(one);
    await killed(one);
    expect(kept(one)).not.toEqual(before);
    const { stderr, stdout } = one.ralph('run');
    expect(kept(one)).toEqual(before);
    expect(stdout + stderr).toContain('.ralph/ralph.toml was changed since iteration 1 of run');
    expect(processesIn(one)).toEqual([]);
    // The tick before the kill counted for nothing: the task was worked on.
    expect(one.iteration(2).facts.task.id).toBe('T-1');
  });

  it('comes back with any command, and only once', async () => {
    const one = project(KILLED_AGENT);
    const before = kept(one);
    await killed(one);
    one.ralph('status');
    expect(kept(one)).toEqual(before);
    one.git('tag', 'v2');
    one.write('.ralph/FEEDBACK.md', 'mine\n');
    expect(one.ralph('status').stderr).not.toContain('put back');
    expect(one.read('.ralph/FEEDBACK.md')).toBe('mine\n');
    expect(one.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });

  it('comes back where git itself finds no repository any more', async () => {
    const one = project(KILLED_AGENT.replace('echo $$ > ready', 'rm .git/HEAD\necho $$ > ready'));
    const before = kept(one);
    await killed(one);
    expect(one.ralph('run').code).toBe(0);
    expect(kept(one)).toEqual(before);
  });

  it("comes back where git's folder was emptied", async () => {
    const one = workedIn(KILLED_AGENT.replace('echo $$ > ready', `${EMPTY_ALL}\necho $$ > ready`));
    const before = yours(one);
    await killed(one);
    expect(one.ralph('run').code).toBe(0);
    expect(yours(one)).toEqual(before);
  });

  it('is left alone while its run is alive', async () => {
    const one = project(KILLED_AGENT);
    const { child, ended } = one.start('run');
    await one.appears('ready');
    const softened = one.read('.ralph/ralph.toml');
    one.ralph('status');
    expect(one.read('.ralph/ralph.toml')).toBe(softened);
    child.kill('SIGKILL');
    await ended;
  });

  it.runIf(canBind)('stops the run where it cannot be put back, and the task stays open', async () => {
    const one = project(
      `touch ready; while [ ! -e go ]; do sleep 0.02; done; echo work >> work.txt\n${SHELL_CLAIM}`,
      { '.gitignore': 'ready\ngo\n' },
    );
    one.write('.git/info/exclude', 'mine\n');
    // ralph sees the folder read-only; what changes in it comes from outside of its mounts.
    const info = one.path('.git/info');
    const box = ['--dev-bind', '/', '/', '--ro-bind', info, info, '--die-with-parent', process.execPath, BIN];
    const run = spawn('bwrap', [...box, 'run'], {
      cwd: one.root,
      env: { ...process.env, RALPH_TRUST: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = finishedOf(run);
    await one.appears('ready');
    one.write('.git/info/exclude', 'work.txt\n');
    one.write('go', '');
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be put back')]);
    expect(stderr).toContain(`${info}/exclude`);
    expect(stdout).not.toContain('done (');
    // Where it can be, the next command does it, and the task is worked on again.
    const next = one.ralph('run');
    expect(next.stdout.replace(/\s+/g, ' ')).toContain('.git/info/exclude was changed since iteration 1');
    expect([next.code, one.read('.git/info/exclude')]).toEqual([0, 'mine\n']);
    expect(one.iterations()).toEqual([1, 2]);
  });
});
