/** @module-tag slow */

import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeProject, type Project, projectAt, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const ELSEWHERE = '/dev/shm';
const IS_OTHER = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(temporaryFolder()).dev;

const AS_YOU = 'git -c user.name=a -c user.email=a@example.invalid';
/**
 * The agent makes, changes and deletes files, replaces a file by a folder, and makes a link and a repository; then it
 * does work that no gate accepts.
 */
const AGENT = `cat > prompt.txt; rm prompt.txt
case $RALPH_TASK_ID in
T-1) echo b >> src/a.txt; rm src/gone.txt; rm src/turns; mkdir -p src/turns/deep; echo n > src/turns/deep/new.txt; ln -s a.txt src/link
  mkdir web; cd web; echo hi > index.html; git init -q .; ${AS_YOU} add -A; ${AS_YOU} commit -qm init; cd .. ;;
T-2) echo kept >> src/a.txt; mkdir lib; echo l > lib/l.txt; touch broken.txt ;;
esac
${SHELL_CLAIM}`;

/** These folders lie on the other disk. */
const made: string[] = [];
const elsewhere = () => {
  const folder = mkdtempSync(join(ELSEWHERE, 'ralph-test-'));
  made.push(folder);
  return folder;
};
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Puts the git folder on the other disk by hand, because git can't move one to another disk. */
function separate(one: Project): void {
  const to = join(elsewhere(), 'git');
  cpSync(one.path('.git'), to, { recursive: true });
  rmSync(one.path('.git'), { recursive: true });
  one.write('.git', `gitdir: ${to}\n`);
}

/** Each layout is a project, or a work tree, whose git folder, state home or both lie on the other disk. */
const LAYOUTS: Readonly<Record<string, (one: Project) => Project>> = {
  'its state home': (one) => {
    vi.stubEnv('XDG_STATE_HOME', elsewhere());
    return one;
  },
  'its git folder': (one) => {
    separate(one);
    return one;
  },
  'its git folder and its state home': (one) => {
    vi.stubEnv('XDG_STATE_HOME', elsewhere());
    separate(one);
    return one;
  },
  'its checkout': (one) => {
    const at = join(elsewhere(), 'at');
    one.git('worktree', 'add', '-q', '-b', 'other', at);
    for (const name of ['ralph.toml', 'PRD.md'])
      projectAt(at).write(`.ralph/${name}`, one.read(`.ralph/${name}`));
    return projectAt(at);
  },
};

it
  .runIf(IS_OTHER)
  .each(
    Object.entries(LAYOUTS).flatMap(([name, layout]) =>
      (['auto', 'off'] as const).map((box) => [name, box, layout] as const),
    ),
  )('%s on another disk, box %s: work lands, is kept, taken and taken back', (_name, box, layout) => {
  const one = layout(
    makeProject({
      '.ralph/ralph.toml': `${shellAgent('max_attempts_per_task = 1')}[git]\ncommit = "on_done"\n[box]\nmode = "${box}"\n[gates]\ncommands = [{ name = "test", run = "! test -f broken.txt" }]\n`,
      '.ralph/PRD.md': '# Tasks\n\n- [ ] T-1: Change it\n- [ ] T-2: Break it\n',
      'agent.sh': AGENT,
      'src/a.txt': 'a\n',
      'src/gone.txt': 'gone\n',
      'src/turns': 'a file\n',
    }),
  );
  const before = one.git('rev-parse', 'HEAD');
  const ran = one.ralph('run');
  const output = ran.stdout + ran.stderr;
  expect(output).not.toMatch(/EXDEV|cross-device|should not have happened/);
  expect(one.git('log', '--format=%s', `${before}..`), output).toBe('Mark what is done\nChange it (T-1)');
  expect(one.git('status', '--porcelain', 'src', 'web')).toBe('');
  expect([one.read('src/a.txt'), one.read('src/turns/deep/new.txt'), one.read('web/index.html')]).toEqual([
    'a\nb\n',
    'n\n',
    'hi\n',
  ]);
  expect([one.exists('src/gone.txt'), one.exists('web/.git')]).toEqual([false, false]);
  const [{ kept } = { kept: '' }] = one.iteration(1).facts.repositories;
  expect(one.git(`--git-dir=${one.path(kept ?? '')}`, 'log', '--format=%s')).toBe('init');
  // Unfinished work is kept, and `ralph take` brings it to the checkout.
  expect(one.iteration(2).decisions.verdict.kind).toBe('gates_failed');
  expect(one.json('take', 'T-2')).toMatchObject({ exit_code: 0 });
  expect([one.read('src/a.txt'), one.read('lib/l.txt')]).toEqual(['a\nb\nkept\n', 'l\n']);
  one.git('checkout', '-q', '--', 'src');
  for (const name of ['lib', 'broken.txt']) rmSync(one.path(name), { recursive: true });
  const { checkpoints } = one.json('checkpoints');
  const first = checkpoints.find(({ id }: { id: string }) => /^r-.*\/1$/.test(id)).id;
  expect(one.json('rollback', first)).toMatchObject({ exit_code: 0, reopened: ['T-1'] });
  expect([one.read('src/a.txt'), one.read('src/turns'), one.exists('web')]).toEqual([
    'a\n',
    'a file\n',
    false,
  ]);
  expect(one.git('status', '--porcelain', 'src', 'web')).toBe('');
});
