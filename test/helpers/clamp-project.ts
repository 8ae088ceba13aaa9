import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, claim, makeProject, type Project, type ProjectFiles, write } from './cli.ts';

export const TITLE = 'Fix clamp: `clamp(10, 0, 5)` must be 5';
export const RIGHT = 'export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));\n';
export const HEAD =
  "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { clamp } from '../src/clamp.js';\n";
export const KEEPS = "test('clamp keeps what is inside', () => assert.equal(clamp(3, 0, 5), 3));\n";
export const BOUNDS = "test('clamp bounds what is above', () => assert.equal(clamp(10, 0, 5), 5));\n";

/** Files of a task that doesn't say whether the code is wrong or its test. */
export const FAILING: ProjectFiles = {
  '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** test/clamp.test.js is failing. Fix it.\n',
};

export const code = (content: string) => write('src/clamp.js', content);
export const tests = (content: string) => write('test/clamp.test.js', HEAD + content);

/** Makes a project with a wrong function, and a test that shows it. */
export function clampProject(
  actions: readonly ScenarioAction[],
  files: ProjectFiles = {},
  config = '',
): Project {
  return makeProject({
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n- [ ] **T-1** ${TITLE}\n`,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[[gates.commands]]\nname = "test"\nrun = "node --test"\n${config}`,
    '.ralph/scenario.json': always(...actions, claim()),
    'package.json': '{ "type": "module" }\n',
    'src/clamp.js': 'export const clamp = (x, low, high) => x;\n',
    'test/clamp.test.js': HEAD + KEEPS + BOUNDS,
    '.gitignore': '/local/\n',
    ...files,
  });
}

type Case = [what: string, actions: ScenarioAction[]];

/** Runs one attempt of an agent with these actions, and returns its result. */
export function runOf(actions: readonly ScenarioAction[], files: ProjectFiles = {}, config = '') {
  const made = clampProject(actions, files, config);
  const { code: exit, stdout, stderr } = made.ralph('run', '--max-iterations', '1');
  const { facts, decisions } = made.iteration(1);
  const text = (stdout + stderr).replace(/\s+/g, ' ');
  return { ...made, exit, text, facts, decisions, verdict: decisions.verdict.kind, proof: decisions.proof };
}

/** Cases of a gate that passes but can't fail. */
export const DEAD: readonly Case[] = [
  [
    'the checks are disarmed',
    [
      code(
        "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const clamp = (x) => x;\n",
      ),
    ],
  ],
  ['the process ends as it is loaded', [code('process.exit(0);\nexport const clamp = (x) => x;\n')]],
  [
    'the tests are never run',
    [
      code(
        "import { mock } from 'node:test';\nimport { createRequire } from 'node:module';\nconst t = createRequire(import.meta.url)('node:test');\nt.test = () => {};\nprocess.on('exit', () => { process.exitCode = 0; });\nexport const clamp = (x) => x;\n",
      ),
    ],
  ],
];

export const GONE: readonly Case[] = [
  [
    'emptied',
    [
      code('export const clamp = (x) => x + 0;\n'),
      tests(`${KEEPS}test('clamp bounds what is above', () => {});\n`),
    ],
  ],
  [
    'skipped',
    [code('export const clamp = (x) => x + 0;\n'), tests(KEEPS + BOUNDS.replace("test('", "test.skip('"))],
  ],
  ['deleted', [code('export const clamp = (x) => x + 0;\n'), tests(KEEPS)]],
  [
    'moved to where nothing runs it',
    [code('export const clamp = (x) => x + 0;\n'), tests(KEEPS), write('attic/clamp.js', HEAD + BOUNDS)],
  ],
  [
    'about another function',
    [
      code('export const clamp = (x) => x + 0;\n'),
      tests(KEEPS + BOUNDS.replace('clamp(10, 0, 5)', '(() => 5)()')),
    ],
  ],
];

export const STAND_INS: readonly Case[] = [
  [
    'a stand-in in it',
    [
      tests(
        `import { mock } from 'node:test';\n${KEEPS}${BOUNDS.replace('clamp(10, 0, 5)', 'mock.fn(() => 5)(10, 0, 5)')}`,
      ),
    ],
  ],
  [
    'another module',
    [
      write('test/stand-in.js', RIGHT),
      write('test/clamp.test.js', HEAD.replace('../src/clamp.js', './stand-in.js') + KEEPS + BOUNDS),
    ],
  ],
];
