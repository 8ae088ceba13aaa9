import { describe, expect, it } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { withSubmodule } from '../helpers/exactness/scenario.ts';
import { makeRepository } from '../helpers/repository.ts';

const AS_YOU = 'git -c user.name=a -c user.email=a@example.invalid';
/** @param readable A folder outside of the project that its agent sees. */
function project(agent: string, readable = '/usr'): Project {
  const settings = `[git]\ncommit = "on_done"\n[box]\nreadable = ["${readable}"]\n`;
  return makeProject({
    '.ralph/ralph.toml': `${shellAgent()}${settings}`,
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

it('a commit that only the copy has is not done, and kept with the attempt', () => {
  const one = project(`cd sub; echo own >> inner.txt; ${AS_YOU} commit -qam own; cd ..`);
  withSubmodule(one);
  const before = one.git('rev-parse', 'HEAD:sub');
  one.ralph('run', '--max-iterations', '1');
  const { verdict, cause } = one.iteration(1).decisions;
  expect(verdict.kind).toBe('incomplete');
  expect(cause).toContain('the submodule sub is at');
  const [, file = '', name = ''] = /git -C sub fetch (\S+) (\S+?)\)/.exec(cause) ?? [];
  expect(one.git('bundle', 'list-heads', file)).toContain(name);
  expect(one.git('rev-parse', 'HEAD:sub')).toBe(before);
});

describe('a submodule', () => {
  const origin = () => makeRepository({ 'inner.txt': 'inner\n' });

  it('that the work adds lands as a pointer', () => {
    const src = origin();
    const one = project(
      `git -c protocol.file.allow=always submodule --quiet add '${src.root}' lib`,
      src.root,
    );
    // Git's own setting for submodules that are served by a path.
    one.git('config', 'protocol.file.allow', 'always');
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
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
  ])('%s lands as plain files', (_, agent, files) => {
    const one = project(agent);
    const before = new Set(treeOf(one));
    expect(one.json('run')).toMatchObject({ exit_code: 0 });
    expect(treeOf(one).filter((path) => !before.has(path))).toEqual(files);
    const [{ path, kept } = { path: '', kept: '' }] = one.iteration(1).facts.repositories;
    expect(path).toBe('web');
    expect(one.git(`--git-dir=${one.path(kept ?? '')}`, 'log', '--format=%s')).toBe('init');
    expect(one.ralph('report').stdout).toContain('web was a repository');
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
