/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { isWholeBox } from '../helpers/boxed.ts';
import { claim, makeProject, type Project } from '../helpers/cli.ts';
import { inRole, scenario } from '../helpers/reviewing-roles.ts';

const TASKS = `# Plan

## Tasks

- [ ] **T-1** Clamp numbers in \`src/clamp.js\`
  - \`clamp(n, low, high)\` gives at least low
`;
const HONEST = 'export const clamp = (n, low, high) => Math.min(high, Math.max(low, n));\n';
const CHEAT = 'export const clamp = () => 5;\n';

type Check = {
  readonly criterion?: number;
  readonly command?: string;
  readonly body?: string;
  readonly path?: string;
};

const SECRET = 'secret-of-the-check';

/** Returns the answer of a prover: a test of `clamp` beside the others. */
function proves(...checks: readonly Check[]): ScenarioAction {
  const all = checks.map(
    ({ criterion = 1, path = 'test/proof.test.js', command, body = 'assert.equal(clamp(-3, 0, 5), 0)' }) => ({
      criterion,
      command: command ?? `node --test ${path}`,
      files: [
        {
          path,
          text: `import assert from 'node:assert';\nimport fs from 'node:fs';\nimport { test } from 'node:test';\nimport { clamp } from '../src/clamp.js';\ntest('${SECRET}', () => { ${body}; });\n`,
        },
      ],
    }),
  );
  return { action: 'print', text: `I read it.\n${JSON.stringify({ nonce: '{nonce}', checks: all })}` };
}

function rules(keep: boolean, reason = 'the task does not say that'): ScenarioAction {
  const rulings = [{ check: 0, keep, reason }];
  return { action: 'print', text: JSON.stringify({ nonce: '{nonce}', rulings }) };
}

const asked = (action: ScenarioAction) => inRole('prover', [action], { prompt_includes: 'fails now' });
const ruling = (action: ScenarioAction) =>
  inRole('prover', [action], { prompt_includes: 'failed both times' });

function makes(content: string, attempt?: number) {
  const when = attempt === undefined ? {} : { attempt };
  return inRole('maker', [{ action: 'write', path: 'src/clamp.js', content }, claim('src/clamp.js:1')], when);
}

function proved(...steps: readonly ReturnType<typeof inRole>[]): Project {
  return makeProject({
    'package.json': '{ "type": "module" }\n',
    'src/clamp.js': 'export const clamp = (n) => n;\n',
    'test/other.test.js': "import { test } from 'node:test';\ntest('other', () => {});\n",
    '.ralph/PRD.md': TASKS,
    '.ralph/ralph.toml': `[loop]
agent = "scripted"
max_attempts_per_task = 5
[proof]
prover = "scripted"
[human.gates.GATE-AP-FALSE-POSITIVE]
signature = false
[gates]
commands = [{ name = "test", run = "node --test test/*.test.js" }]
`,
    '.ralph/scenario.json': scenario(...steps),
  });
}

/** Returns the prompts of the maker. */
const prompts = (made: Project) => made.iterations().map((number) => made.promptOf(number));
const verdicts = (made: Project) =>
  made.iterations().map((number) => made.iteration(number).decisions.verdict.kind);

describe.skipIf(!isWholeBox).concurrent('a prover', () => {
  it('what fails its check is not done, and the maker learns the criterion alone', async () => {
    const made = proved(asked(proves({})), makes(CHEAT, 1), makes(HONEST));
    const { code, stdout } = await made.start('run').ended;
    expect(code, stdout).toBe(0);
    expect(verdicts(made)).toEqual(['incomplete', 'done']);
    const shown = 'criterion 1 (`clamp(n, low, high)` gives at least low) isn';
    expect(made.promptOf(2)).toContain(shown);
    for (const text of [...prompts(made), stdout]) expect(text).not.toMatch(/secret-of|proof\.test|-3, 0/);
    expect(made.iteration(2).decisions.proof.grade).toBe('tests');
    expect(made.iteration(1).decisions.prover).toMatchObject({ kept: 1, agent: 'scripted' });
    expect(made.json('report').prover).toMatchObject({ agents: ['scripted'], kept: 1, withdrawn: 0 });
    expect(made.ralph('report').stdout).toContain('prover (scripted)');
  });

  it.each<[string, Check]>([
    ['vacuous', { body: 'assert.ok(true)' }],
    [
      'flaky before the work',
      {
        command:
          "node -e \"console.log([1,2,3,4,5,6,7,8].map(() => 'xyzvwklm'[Math.floor(Math.random() * 8)]).join('')); process.exit(1)\"",
      },
    ],
    [
      'changing other files',
      { body: "fs.writeFileSync('src/clamp.js', 'export const clamp = 1'); assert.ok(false)" },
    ],
    ['over a file that is there', { path: 'test/other.test.js' }],
    ['out of the repository', { path: '../escaped.test.js' }],
    ['of a missing tool', { command: 'nosuchtool --check' }],
    ['of a criterion that there is not', { criterion: 7 }],
    ['that can not be read', { body: 'assert.equal((' }],
  ])('%s: such a check is dropped', async (_, check) => {
    const made = proved(asked(proves(check)), makes(HONEST));
    expect(await made.start('run').ended).toMatchObject({ code: 0 });
    expect(verdicts(made)).toEqual(['done']);
    expect(made.iteration(1).decisions.prover).toMatchObject({ kept: 0, next: { checks: [] } });
  });

  it.each<[string, ScenarioAction]>([
    ['nonsense', { action: 'print', text: 'I would rather not.' }],
    ['a huge answer', { action: 'print', text: 'x'.repeat(100_000) }],
    ['a failure', { action: 'exit', code: 5 }],
  ])('%s: the run continues without, and says so once', async (_, action) => {
    const made = proved(asked(action), makes(HONEST));
    const { code, stdout, stderr } = await made.start('run').ended;
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`.match(/wrote no checks/g)).toHaveLength(1);
    expect(verdicts(made)).toEqual(['done']);
  });

  it('a wrong check that leaks what it expects is withdrawn at the second time, and never shown', async () => {
    const wrong = {
      body: `console.log('expects 4711'); assert.equal(clamp(-3, 0, 5), 4711)`,
      command: "echo 'it must give 4711' && node --test test/proof.test.js",
    };
    const made = proved(asked(proves(wrong)), ruling(rules(false)), makes(HONEST));
    expect(await made.start('run').ended).toMatchObject({ code: 0 });
    expect(made.iterations()).toHaveLength(2);
    for (const text of prompts(made)) expect(text).not.toMatch(/4711|secret-of/);
    expect(made.iteration(2).decisions.prover?.next?.checks[0]?.ruling?.keeps).toBe(false);
    expect(made.iteration(2).decisions.prover?.rulings).toEqual([
      { at: 0, keeps: false, reason: 'the task does not say that' },
    ]);
    // Agents can read the journal, so it must not hold what provers wrote.
    expect(made.read('.ralph/journal.jsonl')).not.toMatch(/4711|does not say/);
    expect(made.json('report').prover).toMatchObject({ kept: 1, withdrawn: 1 });
  });

  it('one that it stands by waits for you at the third time, and counts no more once you accept the work', async () => {
    const made = proved(
      asked(proves({ body: 'assert.equal(clamp(-3, 0, 5), 4711)' })),
      ruling(rules(true)),
      makes(HONEST, 1),
      makes(`// 2\n${HONEST}`, 2),
      makes(`// 3\n${HONEST}`),
    );
    expect(await made.start('run').ended).toMatchObject({ code: 5 });
    expect(verdicts(made)).toEqual(['incomplete', 'incomplete', 'awaiting_human']);
    expect(made.iteration(3).decisions.humanGate).toMatchObject({
      gate: 'GATE-AP-FALSE-POSITIVE',
      triggers: [{ name: 'disputed_check' }],
    });
    const decided = made.ralph('approvals', 'decide', 'G-1', 'legitimate', '--reason', 'it is right');
    expect(decided.code, decided.stderr).toBe(0);
    expect(await made.start('run').ended).toMatchObject({ code: 0 });
  });

  it('is not asked where the task has checks of its own', async () => {
    const made = proved(asked(proves({})), makes(HONEST));
    made.write('.ralph/PRD.md', `${TASKS}  - Check: node --test test/*.test.js\n`);
    await made.start('run').ended;
    expect(made.iteration(1).decisions.prover).toBeNull();
  });
});

it('without a box, no prover is asked, and that is said', async () => {
  const made = proved(asked(proves({})), makes(HONEST));
  made.write('.ralph/ralph.toml', `${made.read('.ralph/ralph.toml')}\n[box]\nmode = "off"\n`);
  const { code, stdout, stderr } = await made.start('run').ended;
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain("prover isn't asked");
  expect(made.iteration(1).decisions.prover).toBeNull();
});
