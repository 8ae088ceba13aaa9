/** @module-tag slow */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { attempts, BIN, claim, makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const VISIBLE = `import assert from 'node:assert';
import { test } from 'node:test';
import { clamp } from '../src/clamp.js';
test('clamps above', () => assert.equal(clamp(9, 0, 5), 5));
`;
const HIDDEN = `import assert from 'node:assert';
import { test } from 'node:test';
const { clamp } = await import(\`\${process.cwd()}/src/clamp.js\`);
test('unseen-name: clamps below', () => assert.equal(clamp(-3, 0, 5), 0, 'unseen-word'));
`;
const HONEST = 'export const clamp = (n, low, high) => Math.min(high, Math.max(low, n));\n';
const CHEAT = 'export const clamp = () => 5;\n';
const TASKS = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Clamp numbers in src/clamp.js\n';

const write = (content: string) => [
  { action: 'write', path: 'src/clamp.js', content } as const,
  claim('src/clamp.js:1'),
];

/** Returns a project with a gate that agents see and a held-out one, whose tests lie at this place. */
function makeHeld(place: 'inside' | 'outside', files: Record<string, string>, loop = ''): Project {
  const apart = join(temporaryFolder(), 'held');
  const named = place === 'inside' ? 'held/tests' : apart;
  const toml = `${files['.ralph/ralph.toml'] ?? `[loop]\nagent = "scripted"\n${loop}`}
[gates]
commands = [
  { name = "test", run = "node --test test/*.test.js" },
  { name = "hidden", run = "node --test ${named}/hidden.test.js", held_out = "${named}" },
]
`;
  const made = makeProject({
    '.gitignore': 'held/\n',
    'package.json': '{ "type": "module" }\n',
    'src/clamp.js': 'export const clamp = (n) => n;\n',
    'test/clamp.test.js': VISIBLE,
    '.ralph/PRD.md': TASKS,
    ...files,
    '.ralph/ralph.toml': toml,
  });
  const folder = place === 'inside' ? join(made.root, named) : apart;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hidden.test.js'), HIDDEN);
  return made;
}

describe.skipIf(!isWholeBox).concurrent('a held-out gate', () => {
  it.each(['inside', 'outside'] as const)(
    '%s: what passes all that is seen, and not that, is not done',
    async (place) => {
      const made = makeHeld(place, { '.ralph/scenario.json': attempts(write(CHEAT), write(HONEST)) });
      const { code, stdout } = await made.start('run').ended;
      expect(code, stdout).toBe(0);
      const first = made.iteration(1);
      expect(first.decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['hidden'] });
      const prompt = made.promptOf(2);
      expect(prompt).toContain('`hidden` is held out');
      for (const text of [prompt, JSON.stringify(first), stdout])
        expect(text).not.toMatch(/unseen-(?:word|name)/);
      expect(made.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
      expect(made.iteration(2).decisions.proof.grade).toBe('held-out');
      // You see the output of the held-out gate; agents don't.
      expect(made.ralph('logs', '1', '--failed').stdout).toContain('unseen-word');
    },
  );

  it('what an agent and the code that it writes try, shows nothing of it', async () => {
    const tries = [
      'cat held/tests/* /proc/*/root/$PWD/held/tests/*',
      'find / -xdev -name "hidden.test.js" -exec cat {} +',
      'find .ralph -type f -exec cat {} +',
      'git grep unseen $(git rev-list --all)',
      `"${process.execPath}" "${BIN}" logs`,
      `"${process.execPath}" "${BIN}" gates`,
      // A gate ran the agent's code, which looked for held-out files and wrote down what it found.
      'find / -name "found-*" -exec cat {} +',
    ];
    // This code copies what it can see when a gate runs it.
    const spying = `import fs from 'node:fs';
const found = [];
for (const folder of ['held/tests', '/tmp'])
  try {
    for (const name of fs.readdirSync(folder)) found.push(fs.readFileSync(folder + '/' + name, 'utf8'));
  } catch {}
for (const to of ['found-1', 'held/found-2', '/tmp/found-3', '/var/tmp/found-4'])
  try {
    fs.writeFileSync(to, found.join(''));
  } catch {}
${CHEAT}`;
    const made = makeHeld('inside', {
      '.ralph/ralph.toml': shellAgent('max_iterations = 2'),
      'agent.sh': [
        'cat > prompt.txt',
        ...tries.map((one) => `(${one}) >> tried.txt 2>&1`),
        'cat > src/clamp.js <<"END"',
        `${spying}END`,
        SHELL_CLAIM,
      ].join('\n'),
    });
    await made.start('run').ended;
    expect(made.iteration(2).decisions.verdict).toEqual({ kind: 'gates_failed', gates: ['hidden'] });
    for (const name of ['tried.txt', 'prompt.txt'])
      expect(made.readCopy(name)).not.toMatch(/unseen-(?:word|name)/);
  });

  it('a task that it says nothing of is done by its paths', async () => {
    const made = makeHeld('outside', {
      '.ralph/scenario.json': attempts([
        { action: 'write', path: 'docs/a.md', content: '# A\n' },
        claim('docs/a.md:1'),
      ]),
    });
    made.write(
      '.ralph/ralph.toml',
      made.read('.ralph/ralph.toml').replace('held_out', 'paths = ["src"], held_out'),
    );
    expect(await made.start('run').ended).toMatchObject({ code: 0 });
    expect(made.iteration(1).decisions.gateReport.judgements).toContainEqual(
      expect.objectContaining({ name: 'hidden', standing: 'skipped' }),
    );
    expect(made.iteration(1).decisions.proof.grade).not.toBe('held-out');
  });
});

describe.concurrent('a place that agents could read', () => {
  it.each([
    ['is tracked by git', (made: Project) => made.git('add', '-f', 'held')],
    [
      'is in commit',
      (made: Project) => {
        made.git('add', '-f', 'held');
        made.git('commit', '-qm', 'oops');
        made.git('rm', '-rq', '--cached', 'held');
        made.git('commit', '-qm', 'taken out');
      },
    ],
    ["isn't ignored by git", (made: Project) => made.write('.gitignore', '')],
    [
      "isn't there",
      (made: Project) =>
        made.write(
          '.ralph/ralph.toml',
          made.read('.ralph/ralph.toml').replace('held_out = "held/tests"', 'held_out = "held/none"'),
        ),
    ],
    [
      'is around the repository',
      (made: Project) =>
        made.write(
          '.ralph/ralph.toml',
          made.read('.ralph/ralph.toml').replace('held_out = "held/tests"', 'held_out = ".."'),
        ),
    ],
  ])('%s: no run starts', async (why, change) => {
    const made = makeHeld('inside', { '.ralph/scenario.json': attempts(write(HONEST)) });
    change(made);
    const { code, stdout, stderr } = await made.start('run').ended;
    expect({ code, text: `${stdout}${stderr}` }).toMatchObject({
      code: 2,
      text: expect.stringContaining(why),
    });
  });

  it('without a box, that is said, and the grade is that of tests', async () => {
    const made = makeHeld('inside', { '.ralph/scenario.json': attempts(write(HONEST)) }, '');
    made.write('.ralph/ralph.toml', `${made.read('.ralph/ralph.toml')}\n[box]\nmode = "off"\n`);
    const { code, stdout, stderr } = await made.start('run').ended;
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(`${stdout}${stderr}`).toContain('nothing is held out');
    expect(made.iteration(1).decisions.proof.grade).toBe('tests');
  });
});
