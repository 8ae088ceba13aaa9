/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claim, makeProject, type Project, projectAt, SHELL_CLAIM } from '../helpers/cli.ts';
import { asOrdinaryUser, canBeOrdinary } from '../helpers/ordinary-user.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const FILES = {
  '.gitignore': '.ralph/\n',
  'src/a.txt': 'a\n',
  'other/b.txt': 'b\n',
  'works.sh':
    'set -e\n[ "$(git config core.sparseCheckout)" != true ] || test ! -e other\ncat src/a.txt\ngit diff --exit-code --diff-filter=D HEAD\ngit log -1 --format=%s\n',
};
const SETTINGS = {
  '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n',
  '.ralph/ralph.toml':
    '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = ["sh works.sh"]\n',
  '.ralph/scenario.json': JSON.stringify({
    steps: [],
    otherwise: [
      { action: 'write', path: 'src/{task}.txt', content: 'work\n' },
      { action: 'write', path: 'src/a.txt', content: 'of {task}\n' },
      claim('src/{task}.txt:1'),
    ],
  }),
};

function sh(script: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
}

/** Returns the repository that a script makes at `$AT` from the one at `$ORIGIN`, which has a history. */
function made(script: string): Project {
  const origin = makeProject(FILES);
  origin.remove('.ralph');
  origin.write('src/a.txt', 'second\n');
  origin.commitAll('second');
  const at = join(temporaryFolder(), 'at');
  sh(script, { ORIGIN: origin.root, AT: at });
  const project = projectAt(at);
  for (const [name, text] of Object.entries(SETTINGS)) project.write(name, text);
  return project;
}

/** Checks that both tasks were done and landed, and that nothing else changed. */
function expectLanded(project: Project, { code, stdout, stderr }: ReturnType<Project['ralph']>): void {
  expect(code, stdout + stderr).toBe(0);
  expect(project.git('log', '--format=%s', '-3')).toBe('Two (T-2)\nOne (T-1)\nsecond');
  expect(project.git('show', '--format=', '--name-only')).toBe('src/T-2.txt\nsrc/a.txt');
  expect([project.read('src/a.txt'), project.read('src/T-1.txt')]).toEqual(['of T-2\n', 'work\n']);
  expect(project.git('status', '--porcelain')).toBe('');
}

const CLONE = 'git clone -q "$ORIGIN" "$AT"';
const SHAPES: Readonly<Record<string, string>> = {
  'a shallow clone': 'git clone -q --depth 1 "file://$ORIGIN" "$AT"',
  'a partial clone':
    'git -C "$ORIGIN" config uploadpack.allowFilter true; git clone -q --filter=blob:none "file://$ORIGIN" "$AT"',
  'a sparse checkout': `${CLONE}; git -C "$AT" sparse-checkout set --cone src`,
  'a sparse checkout of a partial clone':
    'git -C "$ORIGIN" config uploadpack.allowFilter true; git clone -q --filter=blob:none --sparse "file://$ORIGIN" "$AT"; git -C "$AT" sparse-checkout set src',
  'a detached HEAD': `${CLONE}; git -C "$AT" checkout -q --detach`,
  'a linked work tree': 'git -C "$ORIGIN" worktree add -q -b other "$AT"',
  'a git folder elsewhere': 'git clone -q --separate-git-dir "$AT.git" "$ORIGIN" "$AT"',
  'SHA-256 ids':
    'git init -q --object-format=sha256 "$AT"; git -C "$ORIGIN" archive HEAD | tar -x -C "$AT"; cd "$AT"; git add -A; git commit -q -m second',
  'a split index': `${CLONE}; git -C "$AT" update-index --split-index`,
  'an index of version 4': `${CLONE}; git -C "$AT" update-index --index-version 4`,
  'objects of another repository': 'git clone -q --shared "$ORIGIN" "$AT"',
  'a repository whose objects and refs are packed': `${CLONE}; git -C "$AT" gc -q; git -C "$AT" pack-refs --all`,
  'names of any bytes': `${CLONE}; cd "$AT"; for one in "$(printf 'b\\351d')" "$(printf 'two\\nlines')" '-n' ' lead' '"q"'; do echo x > "./$one"; done; git add -A; git commit -q --amend -m second`,
};

afterEach(() => vi.unstubAllEnvs());

describe('a night in', () => {
  it.each(Object.entries(SHAPES))('%s', (_name, script) => {
    const project = made(script);
    const before = project.git('ls-files', '-v', 'other', 'src/a.txt');
    expectLanded(project, project.ralph('run'));
    expect(project.git('ls-files', '-v', 'other', 'src/a.txt')).toBe(before);
    expect(project.exists('other')).toBe(!script.includes('sparse'));
  });

  it.each(['a sparse checkout', 'a linked work tree', 'SHA-256 ids', 'objects of another repository'])(
    '%s, where git alone answers',
    (name) => {
      vi.stubEnv('RALPH_GIT_OBJECTS', 'git');
      const project = made(SHAPES[name] ?? '');
      expectLanded(project, project.ralph('run'));
    },
  );

  it.each(['gc -q --prune=now', 'repack -q -a -d', 'pack-refs --all --prune'])(
    'a repository in which you run git %s between its steps',
    (housekeeping) => {
      const project = made(CLONE);
      const agent = join(temporaryFolder(), 'agent.sh');
      const git = `env -i PATH="$PATH" git -C '${project.root}' ${housekeeping}`;
      const work = 'echo work > "src/$RALPH_TASK_ID.txt"\necho "of $RALPH_TASK_ID" > src/a.txt';
      writeFileSync(agent, `cat > /dev/null\n${git}\n${work}\n${git}\n${SHELL_CLAIM}`);
      const runner = `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "${agent}", "-"]\n`;
      const gates = `[gates]\ncommands = ["${git.replaceAll('"', '\\"')} && sh works.sh"]\n`;
      project.write('.ralph/ralph.toml', `${runner}[git]\ncommit = "on_done"\n${gates}[box]\nmode = "off"\n`);
      expectLanded(project, project.ralph('run'));
      expect(project.git('fsck', '--no-dangling')).toBe('');
      const packed = housekeeping.startsWith('pack-refs') ? 'packed-refs' : 'objects/info/packs';
      expect(project.read(`.git/${packed}`)).not.toBe('');
    },
  );

  it('two linked work trees at once', async () => {
    const one = made('git -C "$ORIGIN" worktree add -q -b one "$AT"');
    const root = join(temporaryFolder(), 'two');
    one.git('worktree', 'add', '-q', '-b', 'two', root);
    const two = projectAt(root);
    for (const [name, text] of Object.entries(SETTINGS)) two.write(name, text);
    const [first, second] = await Promise.all([one.start('run').ended, two.start('run').ended]);
    expectLanded(one, first);
    expectLanded(two, second);
    expect(one.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('one');
  });

  it('a checkout on another disk than the state folder', () => {
    const project = made(CLONE);
    const elsewhere = '/dev/shm';
    if (!existsSync(elsewhere) || statSync(elsewhere).dev === statSync(project.root).dev) return;
    const home = mkdtempSync(join(elsewhere, 'ralph-test-'));
    try {
      vi.stubEnv('XDG_STATE_HOME', home);
      expectLanded(project, project.ralph('run'));
    } finally {
      vi.unstubAllEnvs();
      rmSync(home, { recursive: true });
    }
  });
});

it.runIf(canBeOrdinary)('a checkout that can only be read: named, and nothing is begun', () => {
  const project = made(CLONE);
  const user = asOrdinaryUser(project.root);
  user.give();
  sh('chmod -R a-w "$AT"', { AT: project.root });
  const { status, stdout, stderr } = user.ralph('run');
  sh('chmod -R u+w "$AT"', { AT: project.root });
  user.takeBack();
  const output = `${stdout}${stderr}`;
  expect([1, 2, 9], output).toContain(status);
  expect(output).toContain(project.root);
  expect(output).not.toMatch(/should not have happened|mistake in ralph|^\s+at .*\d+:\d+/m);
  expect(project.git('log', '-1', '--format=%s')).toBe('second');
  expect(readdirSync(project.path('src'))).toEqual(['a.txt']);
});
