/** @module-tag rest */

import { execSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject, type Project, projectAt, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { withSubmodule } from '../helpers/exactness/scenario.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';

const AS_YOU = 'git -c user.name=a -c user.email=a@example.invalid';
const COMMITS = '[git]\ncommit = "on_done"\n';
afterEach(() => vi.unstubAllEnvs());

/** @param readable A folder outside of the project that its agent sees. */
function project(agent: string, readable = '/usr', more = COMMITS, loop = ''): Project {
  const settings = `${more}[box]\nreadable = ["${readable}"]\n`;
  return makeProject({
    '.ralph/ralph.toml': `${shellAgent(loop)}${settings}`,
    'agent.sh': `p=$(cat)\n${agent}\n${SHELL_CLAIM}`,
  });
}

it('what is changed inside of a submodule is not done, and named; without it the same work is', () => {
  const one = project(
    'echo work > work.txt\ncase "$p" in *"inside of the submodule"*) git -C sub checkout -q . ;; *) echo agent >> sub/inner.txt ;; esac',
  );
  withSubmodule(one);
  expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2, lies_caught: 0 });
  const { verdict, cause } = one.iteration(1).decisions;
  expect(verdict.kind).toBe('incomplete');
  expect(cause).toContain('sub/inner.txt was changed inside of the submodule sub');
  expect(one.iteration(2).decisions.verdict.kind).toBe('done');
});

/** Each way is one in which agents work: in a box, without one, or beside another worker. */
const WAYS: readonly (readonly [string, 'auto' | 'off', readonly string[]])[] = [
  ['in the box', 'auto', []],
  ['with the box off', 'off', []],
  ['with two workers', 'auto', ['--workers', '2']],
];

it.each(WAYS)(
  'a commit that only the copy has is not done, and kept with the attempt: %s',
  (_way, box, args) => {
    vi.stubEnv('RALPH_BOX_MODE', box);
    const one = project(`cd sub; echo own >> inner.txt; ${AS_YOU} commit -qam own; cd ..`);
    withSubmodule(one);
    const before = one.git('rev-parse', 'HEAD:sub');
    one.ralph('run', '--max-iterations', '1', ...args);
    const { verdict, cause } = one.iteration(1).decisions;
    expect(verdict.kind).toBe('incomplete');
    expect(cause).toContain('the submodule sub is at');
    const [, command = ''] = /\(kept: (.*?)\)/.exec(cause) ?? [];
    execSync(command, { cwd: one.root, stdio: 'pipe' });
    expect(one.git('-C', 'sub', 'log', '-1', '--format=%s', 'FETCH_HEAD')).toBe('own');
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(before);
  },
);

describe('a submodule', () => {
  const origin = () => makeRepository({ 'inner.txt': 'inner\n' });

  it.each(WAYS)('that the work adds lands as a pointer: %s', (_way, box, args) => {
    vi.stubEnv('RALPH_BOX_MODE', box);
    const src = origin();
    const one = project(
      `git -c protocol.file.allow=always submodule --quiet add '${src.root}' lib`,
      src.root,
    );
    // Git serves submodules by a path only with this setting.
    one.git('config', 'protocol.file.allow', 'always');
    expect(one.json('run', ...args)).toMatchObject({ exit_code: 0 });
    expect(one.git('rev-parse', 'HEAD:lib')).toBe(src.git('rev-parse', 'HEAD'));
    expect(one.git('status', '--porcelain', 'lib')).toBe('');
  });

  it('that the work takes out is gone from the commit, and your files of it stay', () => {
    const one = project('git rm -q sub');
    withSubmodule(one);
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(one.git('ls-tree', '--name-only', 'HEAD', 'sub')).toBe('');
    expect(one.read('sub/inner.txt')).toBe('inner\n');
  });

  it('that the work moves to another folder is a pointer there', () => {
    const one = project('mkdir libs; git mv sub libs/sub');
    withSubmodule(one);
    const at = one.git('rev-parse', 'HEAD:sub');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(one.git('rev-parse', 'HEAD:libs/sub')).toBe(at);
  });

  it('that nothing changes is as it was', () => {
    const one = project('git -C sub status --porcelain > seen.txt; cat sub/inner.txt >> seen.txt');
    withSubmodule(one);
    const at = one.git('rev-parse', 'HEAD:sub');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(one.read('seen.txt')).toBe('inner\n');
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(at);
  });
});

/** The script moves the submodule to a commit that your `.git/modules` has, too. */
const TO_SECOND = 'git -C sub checkout -q origin/second';

/** Returns a project whose submodule has one more commit than is checked out, on the branch `second`. */
function withSecond(agent: string, more?: string, loop?: string) {
  const one = project(agent, '/usr', more, loop);
  withSubmodule(one);
  one.write('sub/inner.txt', 'second\n');
  one.git('-C', 'sub', 'commit', '-qam', 'second');
  const second = one.git('-C', 'sub', 'rev-parse', 'HEAD');
  one.git('-C', 'sub', 'update-ref', 'refs/remotes/origin/second', second);
  one.git('-C', 'sub', 'reset', '-q', '--hard', 'HEAD~1');
  return { one, second };
}

describe('a moved submodule', () => {
  it.each(WAYS)('lands where its commit is at hand: %s', (_way, box, args) => {
    vi.stubEnv('RALPH_BOX_MODE', box);
    const { one, second } = withSecond(TO_SECOND);
    expect(one.json('run', ...args)).toMatchObject({ exit_code: 0, iterations: 1 });
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(second);
  });

  it('is fetched by what the report names where nothing is committed', () => {
    const { one, second } = withSecond(TO_SECOND, '[git]\ncommit = "never"\n');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    const [, needs = ''] = /your checkout needs (.*) Details/.exec(signs(one)) ?? [];
    execSync(needs, { cwd: one.root, stdio: 'pipe' });
    expect(one.git('-C', 'sub', 'rev-parse', 'HEAD')).toBe(second);
  });

  it('lands beside the work of another worker', () => {
    const more = `${COMMITS}[parallel]\nworkers = 2\n`;
    const { one, second } = withSecond(
      `case $RALPH_TASK_ID in T-1) ${TO_SECOND} ;; *) echo x > x.txt ;; esac`,
      more,
    );
    one.write('.ralph/PRD.md', '# Tasks\n\n- [ ] T-1: Move it\n- [ ] T-2: Write x\n');
    one.commitAll('tasks');
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(one.git('rev-parse', 'HEAD:sub')).toBe(second);
    expect(one.read('x.txt')).toBe('x\n');
  });

  it('is verified where its commit is at hand, and is not where it is nowhere', () => {
    const gates = '[gates]\ncommands = [{ name = "test", run = "test -f README.md" }]\n';
    const { one, second } = withSecond('true', gates);
    one.git('-C', 'sub', 'checkout', '-q', second);
    one.commitAll('moved');
    expect(one.json('verify')).toMatchObject({ exit_code: 0 });
    const clone = temporaryFolder();
    one.git('clone', '-q', '.', clone);
    expect(projectAt(clone).json('verify')).toMatchObject({ exit_code: 1, verdict: 'not_verified' });
  });

  describe('of work that is not done', () => {
    const UNDONE = `${COMMITS}[gates]\ncommands = [{ name = "test", run = "! test -f broken.txt" }]\n`;
    const ONCE = 'max_attempts_per_task = 1';
    const undone = (agent: string) => {
      const { one, second } = withSecond(`${agent}; touch broken.txt`, UNDONE, ONCE);
      one.ralph('run');
      return { one, second };
    };
    const head = (one: Project) => one.git('-C', 'sub', 'rev-parse', 'HEAD');

    it('is taken where yours is clean and has the commit', () => {
      const { one, second } = undone(TO_SECOND);
      expect(one.json('take', 'T-1')).toMatchObject({
        submodules: [{ path: 'sub', commit: second, needs: null }],
      });
      expect(head(one)).toBe(second);
    });

    it.each<[string, string, (one: Project) => void]>([
      ['yours has an edit', TO_SECOND, (one) => one.write('sub/own.txt', 'own\n')],
      [
        "the commit is the agent's own",
        `cd sub; echo own > own.txt; git add own.txt; ${AS_YOU} commit -qm own`,
        () => undefined,
      ],
      ['its change is not committed', 'echo own >> sub/inner.txt', () => undefined],
    ])('is left alone where %s, and the command is named', (_why, agent, meanwhile) => {
      const { one } = undone(agent);
      meanwhile(one);
      const before = head(one);
      const { submodules } = one.json('take', 'T-1');
      expect(head(one)).toBe(before);
      execSync(submodules[0].needs, { cwd: one.root, stdio: 'pipe' });
      expect(head(one)).toBe(submodules[0].commit);
      expect(one.ralph('take', 'T-1').stderr).not.toContain('Error');
    });

    it('is named with what adds it where it is new', () => {
      const src = makeRepository({ 'inner.txt': 'inner\n' });
      const one = project(
        `git -c protocol.file.allow=always submodule --quiet add '${src.root}' lib; touch broken.txt`,
        src.root,
        UNDONE,
        ONCE,
      );
      one.git('config', 'protocol.file.allow', 'always');
      one.ralph('run');
      const { submodules } = one.json('take', 'T-1');
      const allowed = {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'protocol.file.allow',
        GIT_CONFIG_VALUE_0: 'always',
      };
      execSync(submodules[0].needs, { cwd: one.root, stdio: 'pipe', env: { ...process.env, ...allowed } });
      expect(one.read('lib/inner.txt')).toBe('inner\n');
    });
  });

  it('that git mv moved names the folder that stays, and leaves none that is empty', () => {
    const one = project('mkdir libs; git mv sub libs/sub');
    withSubmodule(one);
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(signs(one)).toContain('sub is now the submodule libs/sub: your checkout keeps the files in sub');
    const other = project('mkdir libs; git mv sub libs/sub');
    withSubmodule(other);
    other.git('submodule', '--quiet', 'deinit', '--all');
    expect(other.json('run')).toMatchObject({ exit_code: 0 });
    expect(other.exists('sub')).toBe(false);
    expect(other.git('status', '--porcelain', 'sub', 'libs')).toBe('');
  });
});

/** Returns the report on one line. */
function signs(one: Project): string {
  return one.ralph('report').stdout.replace(/\s+/g, ' ');
}

const INIT = `git init -q .; ${AS_YOU} add -A; ${AS_YOU} commit -qm init`;

describe('a repository inside of the work', () => {
  const treeOf = (one: Project) => one.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');

  it.each([
    ['that a scaffolder made', `mkdir web; cd web; echo hi > index.html; ${INIT}; cd ..`, ['web/index.html']],
    [
      'in another one, beside other work',
      `echo x > x.txt; mkdir -p web/lib; cd web; echo hi > index.html; ${INIT}; cd lib; echo l > l.txt; ${INIT}; cd ../..`,
      ['web/index.html', 'web/lib/l.txt', 'x.txt'],
    ],
    [
      'with ignore rules of its own',
      `mkdir -p web/dist; cd web; echo dist > .gitignore; echo o > dist/o; ${INIT}; cd ..`,
      ['web/.gitignore'],
    ],
    [
      'whose git folder lies apart in the work',
      `mkdir web; cd web; echo hi > index.html; ${INIT}; git init -q --separate-git-dir ../meta; cd ..`,
      ['web/index.html'],
    ],
    [
      'whose git folder lies in that of the copy',
      `mkdir web; cd web; echo hi > index.html; ${INIT}; mkdir -p ../.git/modules; mv .git ../.git/modules/web; echo 'gitdir: ../.git/modules/web' > .git; cd ..`,
      ['web/index.html'],
    ],
    [
      'with another work tree beside it',
      `mkdir web; cd web; echo hi > index.html; ${INIT}; git worktree add -q ../web2 -b two; cd ..`,
      ['web/index.html', 'web2/index.html'],
    ],
  ])('%s lands as plain files, in the box and without', (_, agent, files) => {
    landsAsPlain(agent, files);
    vi.stubEnv('RALPH_BOX_MODE', 'off');
    landsAsPlain(agent, files);
  });

  function landsAsPlain(agent: string, files: readonly string[]): void {
    const one = project(agent);
    const before = new Set(treeOf(one));
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(treeOf(one).filter((path) => !before.has(path))).toEqual(files);
    const [{ path, kept } = { path: '', kept: '' }] = one.iteration(1).facts.repositories;
    expect(path).toBe('web');
    expect(one.git(`--git-dir=${one.path(kept ?? '')}`, 'log', '--format=%s')).toBe('init');
    expect(one.ralph('report').stdout).toContain('web was a repository');
  }

  it('is kept with the attempt that made it where two workers make one each, one of them a clone', () => {
    const src = makeRepository({ 'lib.txt': 'lib\n' });
    const one = project(
      `d=web-$RALPH_TASK_ID; case $RALPH_TASK_ID in T-1) mkdir $d; cd $d; echo hi > index.html; ${INIT} ;; *) git clone -q '${src.root}' $d ;; esac`,
      src.root,
    );
    one.write('.ralph/PRD.md', '# Tasks\n\n- [ ] T-1: Make one\n- [ ] T-2: Clone one\n');
    one.commitAll('tasks');
    expect(one.json('run', '--workers', '2')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(treeOf(one)).toEqual(expect.arrayContaining(['web-T-1/index.html', 'web-T-2/lib.txt']));
    for (const number of [1, 2]) {
      const { task, repositories } = one.iteration(number).facts;
      expect(repositories.map(({ path }: { path: string }) => path)).toEqual([`web-${task.id}`]);
      const kept = repositories[0]?.kept ?? '';
      expect(kept).toContain(`/iterations/000${number}/git/`);
      expect(one.git(`--git-dir=${one.path(kept)}`, 'rev-list', '--count', 'HEAD')).toBe('1');
    }
  });

  it.each([
    ['in another repository of the work', 'git worktree add -q ../web2 -b two', 'web.git/worktrees/web2'],
    ['elsewhere', 'mkdir ../web2; echo x > ../web2/x; echo "gitdir: /nowhere/x" > ../web2/.git', null],
  ])('whose .git is a file that leads %s is named', (_where, made, kept) => {
    const one = project(`mkdir web; cd web; echo hi > index.html; ${INIT}; ${made}; cd ..`);
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    const found = one.iteration(1).facts.repositories.find(({ path }) => path === 'web2');
    expect(found?.kept ?? null).toEqual(kept === null ? null : expect.stringContaining(kept));
    if (kept !== null) expect(one.exists(found?.kept ?? '')).toBe(true);
    const folder = one.iteration(1).facts.repositories[0]?.kept ?? '';
    expect(one.read(folder.replace('web.git', 'web2.git-file'))).toContain('gitdir: ');
    expect(one.exists('web2/.git')).toBe(false);
    const stdout = one.ralph('report').stdout.replace(/\s+/g, ' ');
    if (kept === null)
      expect(stdout).toContain("its git folder isn't kept, as it lies outside of the work: /nowhere/x");
    else expect(stdout).not.toContain('outside of the work');
  });

  it('in a tracked folder leaves its changes in the commit', () => {
    const one = project(`cd src; ${INIT}; echo changed > a.txt; cd ..`);
    one.write('src/a.txt', 'a\n');
    one.commitAll('src');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(one.git('show', 'HEAD:src/a.txt')).toBe('changed');
  });

  it('in the place of a pointer that nothing explains becomes files, and is left alone by other work', () => {
    const pointer = (agent: string) => {
      const one = project(agent);
      one.write('web/index.html', 'hi\n');
      one.git('-C', 'web', 'init', '-q');
      one.git('-C', 'web', 'add', '-A');
      one.git('-C', 'web', '-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'web');
      one.commitAll('a pointer');
      expect(one.json('run')).toMatchObject({ exit_code: 0 });
      return one.git('ls-tree', '-r', 'HEAD', 'web');
    };
    expect(pointer('echo more >> web/index.html')).toMatch(/^100644 blob .*web\/index\.html$/);
    expect(pointer('echo x > x.txt')).toMatch(/^160000 commit .*web$/);
  });

  it('with many files is asked about once', () => {
    const made =
      'mkdir -p web; cd web; git init -q .; seq 1 5001 | while read i; do echo $i > f$i; done; cd ..';
    const one = project(made);
    expect(one.ralph('run').code).toBe(5);
    expect(one.git('ls-tree', 'HEAD', 'web')).toBe('');
    one.ralph('approvals', 'decide', 'G-1', 'approve');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(treeOf(one)).toContain('web/f5001');
  });
});

it('what a commit hook takes out of the commit is named, and the rest lands', () => {
  const one = project('echo a > out.txt; echo b > in.txt');
  one.write('.git/hooks/pre-commit', '#!/bin/sh\ngit reset -q -- out.txt\n', 0o755);
  expect(one.json('run')).toMatchObject({ exit_code: 0 });
  expect(one.git('ls-tree', '--name-only', 'HEAD', 'in.txt', 'out.txt')).toBe('in.txt');
  expect(one.ralph('report').stdout).toContain('your commit hooks took out.txt out of its commit');
});
