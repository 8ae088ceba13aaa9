/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { always, claim, makeProject, type ProjectFiles, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

/** The key is put together here, so that no scanner takes this file for a leak. */
const KEY = ['AK', 'IA', 'Q7ZP4M2X9KD3V8TB'].join('');
const WORK: ScenarioAction = { action: 'write', path: 'src/parser.js', content: 'export {};\n' };
const leak = (path: string, before = ''): ScenarioAction => ({
  ...{ action: 'write', path, content: `${before}export const key = '${KEY}';\n` },
});
const shell = (command: string): ScenarioAction => ({ action: 'shell', command });
const commit = shell('git add -A && git commit -qm "The work"');

type Case = readonly [what: string, actions: readonly ScenarioAction[], files?: ProjectFiles];

const IN_FILES: readonly Case[] = [
  ['behind much else', [shell('mkdir -p a && seq 1 400000 > a/data.txt'), leak('src/k.js')]],
  ['by an attribute', [{ action: 'write', path: '.gitattributes', content: '* -diff\n' }, leak('src/k.js')]],
  ['by a NUL', [leak('src/k.js', '/* \0 */\n')]],
  [
    'in a file of UTF-16',
    [leak('k.txt'), shell('mkdir src && iconv -t UTF-16 k.txt > src/k.ps1 && rm k.txt')],
  ],
];
const IN_COMMITS: readonly Case[] = [
  [
    'where git ignores it',
    [leak('dist/k.js'), shell('git add -f dist/k.js'), commit],
    { '.gitignore': 'dist/\n' },
  ],
  ['and taken away in the next', [leak('src/k.js'), commit, shell('git rm -q src/k.js'), commit]],
  [
    'on another branch',
    [shell('git switch -qc other'), leak('src/k.js'), commit, shell('git switch -q main')],
  ],
  [
    'by a merge',
    [
      shell('git switch -qc other'),
      shell('echo 1 > one && git add one && git commit -qm one'),
      shell('git switch -q main && git merge -q --no-ff --no-commit other'),
      leak('src/k.js'),
      commit,
      shell('git rm -q src/k.js'),
      commit,
    ],
  ],
];

describe.each([
  { where: 'hidden in files', cases: IN_FILES, summary: /written into src\/k\.\w+:\d+ \(AWS access key\)/ },
  {
    where: 'hidden in commits',
    cases: IN_COMMITS,
    summary: /written into (?:src|dist)\/k\.js:1 of commit [0-9a-f]{10} \(AWS access key\)/,
  },
])('a credential $where', ({ cases, summary }) => {
  const all = cases.map(([what, actions, files = {}]) => ({ what, actions, files }));
  it.each(all)('is found: $what', ({ actions, files }) => {
    const { json, iteration, read, git } = makeProject({
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 1\n[box]\nmode = "off"\n',
      '.ralph/scenario.json': always(...actions, WORK, claim('src/parser.js:1')),
      ...files,
    });
    expect(json('run')).toMatchObject({ exit_code: 8, ending: 'emergency_stop' });
    const { facts, decisions } = iteration(1);
    const found = decisions.findings.find(({ type }) => type === 'critical_security_violation');
    expect(found?.summary).toMatch(summary);
    expect(JSON.stringify(facts)).not.toContain(KEY);
    expect(read('.ralph/PRD.md')).not.toContain('[x]');
    expect(git('log', '--format=%an', 'main')).not.toMatch(/ralph/);
  });
});

it("one of before isn't the attempt's", () => {
  const { json, iteration } = makeProject({
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\nmax_iterations = 1\n',
    '.ralph/scenario.json': always(
      shell('git mv src/k.js src/moved.js && echo "// moved" >> src/moved.js'),
      commit,
      WORK,
      claim('src/parser.js:1'),
    ),
    'src/k.js': `export const key = '${KEY}';\n`,
  });
  expect(json('run')).toMatchObject({ exit_code: 0 });
  expect(iteration(1).facts.credentials).toEqual([]);
});

it('the value of a variable that is named like a secret is hidden before it is recorded, printed or prompted', () => {
  const token = 'a-plain-word-that-is-a-token';
  const one = makeProject({
    '.ralph/ralph.toml': `${shellAgent('max_attempts_per_task = 2')}[runners.mine.env]\nSHOP_TOKEN = "${token}"\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n`,
    'check.sh': `test ! -e a.txt || { echo "error: ${'a-plain-word'}$(echo -that-is-a-token) was refused"; exit 1; }\n`,
    'agent.sh': `cat > /dev/null\necho work >> a.txt\necho "I used $SHOP_TOKEN for it."\n${SHELL_CLAIM}`,
  });
  const shown = [JSON.stringify(one.json('run')), one.ralph('logs', '1').stdout, one.promptOf(2)];
  for (const text of [...shown, one.ralph('explain', 'T-1').stdout]) expect(text).not.toContain(token);
  expect(JSON.stringify(one.iteration(1))).not.toContain(token);
  expect(one.read('.ralph/journal.jsonl')).not.toContain(token);
  expect(one.promptOf(2)).toContain('[redacted] was refused');
});
