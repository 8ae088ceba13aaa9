/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project, type ProjectFiles } from '../helpers/cli.ts';

/** Test runners write such a report and folder, which are never committed, with other content each time. */
const TESTS = 'mkdir -p coverage; date +%s%N > coverage/lcov.info; date +%s%N > junit.xml';
const PLAN = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n- [ ] **T-2** Write the printer\n';

function project(actions: Parameters<typeof always>, files: ProjectFiles = {}): Project {
  return makeProject({
    '.ralph/PRD.md': PLAN,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[git]\ncommit = "on_done"\n[[gates.commands]]\nname = "test"\nrun = "sh test.sh"\n`,
    '.ralph/scenario.json': always(...actions),
    'test.sh': `${TESTS}\n`,
    ...files,
  });
}

const TRIES_THE_TESTS = { action: 'shell', command: 'sh test.sh' } as const;
const WORKS = { action: 'write', path: 'src/{task}.js', content: 'export {};\n' } as const;

describe('what the gates write into the tree and git does not ignore', () => {
  it('is neither yours nor the work of an agent that runs the tests', () => {
    const { ralph, git } = project([TRIES_THE_TESTS, WORKS, claim('src/{task}.js:1')]);
    const { code, stdout, stderr } = ralph('run');
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toMatch(/uncommitted (?:version|changes)|not committed/);
    const committed = git('log', '--format=%s', '--name-only', '-3').split('\n').filter(Boolean);
    expect(committed.filter((line) => /coverage|junit/.test(line))).toEqual([]);
    expect(committed).toEqual(expect.arrayContaining(['src/T-1.js', 'src/T-2.js']));
  });

  it("isn't work: a claim after the tests alone is a false one", () => {
    const { json, iteration } = project([TRIES_THE_TESTS, claim()]);
    expect(json('run')).toMatchObject({ exit_code: 4 });
    const { decisions } = iteration(1);
    expect(decisions.verdict).toMatchObject({ kind: 'no_files' });
    expect(decisions.findings.map(({ type }) => type)).toContain('false_completion');
  });
});

describe('what package managers and caches leave where git does not ignore it', () => {
  const INSTALLS = [
    { action: 'write', path: 'app/node_modules/left/index.js', content: 'module.exports = 1;\n' },
    { action: 'write', path: 'src/__pycache__/a.pyc', content: 'x{task}\n' },
    { action: 'write', path: 'env/pyvenv.cfg', content: 'home = /usr\n' },
    { action: 'write', path: 'env/bin/activate', content: 'x\n' },
  ] as const;

  it('is left out of commits, which is said once', () => {
    const { ralph, git } = project([...INSTALLS, WORKS, claim('src/{task}.js:1')]);
    const { code, stdout, stderr } = ralph('run');
    expect(code, stdout + stderr).toBe(0);
    const committed = git('log', '--format=%s', '--name-only', '-3').split('\n').filter(Boolean);
    expect(committed.filter((line) => /node_modules|pycache|env/.test(line))).toEqual([]);
    expect(committed).toEqual(expect.arrayContaining(['src/T-1.js', 'src/T-2.js']));
    expect((stdout + stderr).match(/Git doesn't ignore/g)).toHaveLength(1);
    expect(ralph('run').stdout).not.toContain('uncommitted');
  });

  it("isn't work: a claim after an installation alone is a false one", () => {
    const { json, iteration } = project([...INSTALLS, claim()]);
    expect(json('run')).toMatchObject({ exit_code: 4 });
    expect(iteration(1).decisions.verdict).toMatchObject({ kind: 'no_files' });
  });

  it('is work where commits hold it', () => {
    const { ralph, git } = project([...INSTALLS, claim('app/node_modules/left/index.js:1')], {
      'app/node_modules/left/index.js': 'module.exports = 0;\n',
    });
    const { code, stdout } = ralph('run', '--max-iterations', '1');
    expect(stdout).toContain('done');
    expect(code).toBe(3);
    expect(git('show', '--format=', '--name-only', 'HEAD~1').split('\n')).toContain(
      'app/node_modules/left/index.js',
    );
  });
});
