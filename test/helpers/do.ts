import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { recordedRuns, replayFiles } from '../../src/app/records/recorded-run.ts';
import { ralphFolder } from '../../src/app/setup/ralph-folder.ts';
import { stateHomeOf } from '../../src/app/setup/state-home.ts';
import { findWorkTree } from '../../src/git/index.ts';
import { blocked, claim, type Project, projectAt, scenarioOf, write } from './cli.ts';
import { makeRepository, type TestRepository } from './repository.ts';

/** A repository as users of another tool have it: without files of ralph, and with tests that pass. */
export type Foreign = {
  /** Shell text that succeeds where its tools are installed. */
  readonly needs: string;
  readonly gate: string;
  readonly files: Readonly<Record<string, string>>;
  /** Path and text of the right code, and of the test that fails without it. */
  readonly code: readonly [path: string, text: string];
  readonly test: readonly [path: string, text: string];
};

const NODE_TEST = (cases: string) =>
  `const test = require('node:test');\nconst assert = require('node:assert');\nconst { pages } = require('../pager.js');\n${cases}`;
const PY_TEST = (cases: string) => `from pager import pages\n\n\n${cases}`;
const GO_TEST = (cases: string) => `package pager\n\nimport "testing"\n\n${cases}`;
const C_TEST = (cases: string) =>
  `#include <assert.h>\nint pages(int total, int size);\nint main(void) {\n${cases}  return 0;\n}\n`;

export const FOREIGN: Readonly<Record<'Node' | 'Python' | 'Go' | 'C', Foreign>> = {
  Node: {
    needs: 'node --version',
    gate: 'npm test',
    files: {
      'package.json': '{ "name": "pager", "scripts": { "test": "node --test" } }\n',
      'pager.js': 'exports.pages = (total, size) => Math.floor(total / size) + 1;\n',
      'test/pager.test.js': NODE_TEST("test('a rest', () => assert.equal(pages(11, 5), 3));\n"),
    },
    code: ['pager.js', 'exports.pages = (total, size) => Math.ceil(total / size);\n'],
    test: [
      'test/pager.test.js',
      NODE_TEST(
        "test('a rest', () => assert.equal(pages(11, 5), 3));\ntest('no rest', () => assert.equal(pages(10, 5), 2));\n",
      ),
    ],
  },
  Python: {
    needs: 'python3 -c "import pytest"',
    gate: 'pytest',
    files: {
      'pyproject.toml':
        '[project]\nname = "pager"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
      'pager.py': 'def pages(total, size):\n    return total // size + 1\n',
      'tests/test_pager.py': PY_TEST('def test_a_rest():\n    assert pages(11, 5) == 3\n'),
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
    },
    code: ['pager.py', 'def pages(total, size):\n    return -(-total // size)\n'],
    test: [
      'tests/test_pager.py',
      PY_TEST(
        'def test_a_rest():\n    assert pages(11, 5) == 3\n\n\ndef test_no_rest():\n    assert pages(10, 5) == 2\n',
      ),
    ],
  },
  Go: {
    needs: 'go version',
    gate: 'go test ./...',
    files: {
      'go.mod': 'module example.com/pager\n\ngo 1.19\n',
      'pager.go': 'package pager\n\nfunc Pages(total, size int) int { return total/size + 1 }\n',
      'pager_test.go': GO_TEST(
        'func TestRest(t *testing.T) {\n\tif Pages(11, 5) != 3 {\n\t\tt.Fatal("a rest")\n\t}\n}\n',
      ),
    },
    code: [
      'pager.go',
      'package pager\n\nfunc Pages(total, size int) int { return (total + size - 1) / size }\n',
    ],
    test: [
      'pager_test.go',
      GO_TEST(
        'func TestRest(t *testing.T) {\n\tif Pages(11, 5) != 3 {\n\t\tt.Fatal("a rest")\n\t}\n}\n\nfunc TestNoRest(t *testing.T) {\n\tif Pages(10, 5) != 2 {\n\t\tt.Fatal("no rest")\n\t}\n}\n',
      ),
    ],
  },
  C: {
    needs: 'make --version && cc --version',
    gate: 'make test',
    files: {
      Makefile:
        'test: check\n\t./check\ncheck: pager.c check.c\n\tcc -o check pager.c check.c\n.PHONY: test\n',
      'pager.c': 'int pages(int total, int size) { return total / size + 1; }\n',
      'check.c': C_TEST('  assert(pages(11, 5) == 3);\n'),
      '.gitignore': 'check\n',
    },
    code: ['pager.c', 'int pages(int total, int size) { return (total + size - 1) / size; }\n'],
    test: ['check.c', C_TEST('  assert(pages(11, 5) == 3);\n  assert(pages(10, 5) == 2);\n')],
  },
};

export function isMissing({ needs }: Foreign): boolean {
  return spawnSync('sh', ['-c', needs], { stdio: 'ignore' }).status !== 0;
}

/** What the agent does, by words in its task. */
export const TASKS = {
  honest: 'Fix the off-by-one in the pager',
  liar: 'Make the pager fast',
  asks: 'Name the pages',
  slow: 'Fix the pager in peace',
} as const;

/** Your answer to the question that the agent asks at `TASKS.asks`. */
export const ANSWER = 'Call them leaves';

function scenarioFor({ code, test }: Foreign): string {
  const rights = [write(...code), write(...test), claim(`${code[0]}:1 rounds up`)];
  const half = write('NOTES.md', 'half\n');
  const asks = blocked('What are pages called?');
  const steps = [
    { when: { task: 'T-*' }, do: [write('{task}.txt', '{task}\n'), claim('{task}.txt:1 it')] },
    { when: { prompt_includes: ANSWER }, do: rights },
    { when: { prompt_includes: TASKS.asks }, do: [half, asks] },
    { when: { prompt_includes: TASKS.liar }, do: [half, claim(`${code[0]}:1 is fast`)] },
    { when: { prompt_includes: 'was cut off before it ended' }, do: rights },
    { when: { prompt_includes: TASKS.slow }, do: [half, { action: 'hang' }] },
    { when: { prompt_includes: TASKS.honest }, do: rights },
  ];
  return scenarioOf(steps);
}

/** Configures the scripted agent in your own settings, as you configure an agent of your own. */
export function settingsOfYours(): void {
  writeFileSync(
    join(process.env.XDG_CONFIG_HOME ?? '', 'ralph', 'config.toml'),
    '[runners.scripted]\nscenario = "agent.json"\n',
  );
}

export type ForeignProject = Project & {
  /** Runs `ralph do` with the scripted agent. */
  readonly do: (...args: string[]) => ReturnType<Project['json']>;
  /** ralph's folder for the repository in the state home. */
  readonly folder: string;
  /** Returns everything that ralph could leave in the repository beside commits and objects. */
  readonly traces: () => Readonly<Record<string, string>>;
  readonly home: string;
  /** Returns how the decisions of each run of `ralph do` differ when they are made again. */
  readonly differences: () => unknown[];
};

export function makeForeign(foreign: Foreign, more: Readonly<Record<string, string>> = {}): ForeignProject {
  return foreignAt(makeRepository({ ...foreign.files, 'agent.json': scenarioFor(foreign), ...more }));
}

export function foreignAt({ root }: Pick<TestRepository, 'root'>): ForeignProject {
  const project = projectAt(root);
  const found = findWorkTree(root, process.env);
  if (found === null) throw new Error(`${root} isn't a work tree`);
  const { folder } = ralphFolder(found, 'do');
  const common = resolve(root, project.git('rev-parse', '--git-common-dir'));
  return {
    ...project,
    folder,
    home: stateHomeOf(common),
    do: (...args) => project.json('do', '--agent', 'scripted', ...args),
    traces: () => ({
      refs: project.git('for-each-ref', '--format=%(refname)', 'refs/ralph'),
      status: project.git('status', '--porcelain', '--ignored'),
      worktrees: project.git('worktree', 'list').replaceAll(/ [0-9a-f]{7,} /g, ' '),
      config: readFileSync(join(common, 'config'), 'utf8'),
      exclude: readFileSync(join(common, 'info', 'exclude'), 'utf8'),
      files: readdirSync(root).toSorted().join(' '),
    }),
    differences: () => recordedRuns(folder).flatMap((run) => replayFiles(found, run).differences),
  };
}

/** Returns whether an attempt of `ralph do` has left half of its work in its copy. */
export function hasHalf({ home }: ForeignProject): boolean {
  return existsSync(join(home, 'slots', '.do-main', '1', 'files', 'NOTES.md'));
}
