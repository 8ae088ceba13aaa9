/** @module-tag slow */

import { expect, it } from 'vitest';
import { gatesIn, runsOf } from '../../src/domain/command-runs.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, claim, makeProject, type Project } from '../helpers/cli.ts';

/** These are questions of gates to git; a copy has to answer them like a checkout of what would land. */
const QUESTIONS = {
  generated: 'sh gen.sh && git diff --exit-code',
  plumbing: 'git diff-files --quiet && git diff-index --quiet HEAD --',
  status: 'test -z "$(git status --porcelain)"',
  untracked: 'test -z "$(git ls-files --others --exclude-standard)$(git ls-files --modified --deleted)"',
  clean: 'test -z "$(git clean -nd)"',
  staged: 'git diff --cached --exit-code',
  stash: 'test -z "$(git stash list)" && git stash && git diff --exit-code HEAD',
  describe: 'git describe --dirty --long | grep -E "^v1-[0-9]+-g[0-9a-f]+$"',
  branch: 'test "$(git branch --show-current)" = main && git diff --exit-code main HEAD',
  log: 'git log -1 --format=%s | grep -xE "start|Write the list [(]T-1[)]"',
  files: 'test -z "$(git ls-files | grep -v "^.ralph/" | xargs ls -d 2>&1 >/dev/null)"',
};

const GEN = 'LC_ALL=C sort words.txt > sorted.txt\n';

function project(files: Readonly<Record<string, string>>, ...work: ScenarioAction[]): Project {
  const commands = Object.entries(QUESTIONS).map(([name, run]) => `{ name = "${name}", run = '''${run}''' }`);
  const made = makeProject({
    'gen.sh': GEN,
    'words.txt': 'b\na\n',
    'sorted.txt': 'a\nb\n',
    'PLAN.md': '# Plan\n\n- [ ] **T-1** Write the list\n',
    '.gitignore': '.env\n',
    '.ralph/scenario.json': always(...work),
    ...files,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[tracker]\npath = "PLAN.md"\n[box]\nseed = ["local.txt"]\n${files['.ralph/ralph.toml'] ?? ''}\n[gates]\ncommands = [\n${commands.join(',\n')}\n]\n`,
  });
  made.remove('.ralph/PRD.md');
  made.git('commit', '-qam', 'start');
  made.git('tag', '-a', 'v1', '-m', 'v1');
  made.write('.env', 'A=1\n');
  made.write('local.txt', 'neither tracked nor ignored\n');
  return made;
}

const words: ScenarioAction = { action: 'write', path: 'words.txt', content: 'b\na\nc\n' };
const sorted: ScenarioAction = { action: 'write', path: 'sorted.txt', content: 'a\nb\nc\n' };
const added: ScenarioAction = { action: 'write', path: 'lists/new.txt', content: 'new\n' };

it.concurrent.each([
  ['in the box', ''],
  ['without one', 'mode = "off"\n'],
])('git in a gate answers as in a checkout of what would land, %s', async (_where, box) => {
  const files = { '.ralph/ralph.toml': box };
  const good = project(files, words, sorted, added, claim('sorted.txt:3 has it'));
  const ran = await good.start('run', '--max-iterations', '1').ended;
  expect(gatesIn(good.iteration(1).facts).filter(({ outcome }) => outcome.kind !== 'passed')).toEqual([]);
  expect(ran.code).toBe(0);
  expect(good.read('sorted.txt')).toBe('a\nb\nc\n');

  const forgot = project(files, words, added, claim('words.txt:3 has it'));
  await forgot.start('run', '--max-iterations', '1').ended;
  expect(forgot.iteration(1).decisions.verdict).toMatchObject({ kind: 'gates_failed', gates: ['generated'] });
});

it('ralph gates and ralph verify find uncommitted work committed, too', async () => {
  const made = project({});
  made.write('words.txt', 'b\na\nc\n');
  made.write('sorted.txt', 'a\nb\nc\n');
  made.write('lists/new.txt', 'new\n');
  const asked = Object.keys(QUESTIONS).filter((name) => name !== 'log');
  expect(made.json('gates', ...asked)).toMatchObject({ exit_code: 0, green: true });
  made.git('add', '-A');
  made.git('commit', '-qm', 'Write the list (T-1)');
  expect(made.json('gates').gates.filter(({ green }: { green: boolean }) => !green)).toEqual([]);
  // No test depends on the change, so the verdict is weak; a gate that failed would make it rejected.
  expect(made.json('verify', 'HEAD~1..HEAD')).toMatchObject({ verdict: 'verified_weak' });
});

/** The gate demands a clean state before its tests: nothing that ralph puts into a copy may make it red. */
it('what ralph puts into a copy for a proof is committed there, and alone fails no gate', async () => {
  const made = makeProject({
    'package.json': '{"type":"module"}\n',
    'clamp.js': 'export const clamp = (x, low) => (x < low ? low : x);\n',
    'test/clamp.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { clamp } from '../clamp.js';\ntest('low', () => assert.equal(clamp(1, 2), 2));\n",
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "test", run = \'test -z "$(git status --porcelain)" && node --test\' }]\n',
    '.ralph/scenario.json': always(
      {
        action: 'write',
        path: 'clamp.js',
        content: 'export const clamp = (x, low, high) => (x < low ? low : x > high ? high : x);\n',
      },
      claim('clamp.js:1 has an upper bound'),
    ),
  });
  await made.start('run', '--max-iterations', '1').ended;
  const { facts } = made.iteration(1);
  // The tests don't depend on the change, so they pass when the code is taken back, and nothing else is red there.
  expect(runsOf(facts, 'canary', 'test').map(({ outcome }) => outcome.kind)).toEqual(['failed']);
  expect(made.iteration(1).decisions.proof?.grade).not.toBe('tests');
});
