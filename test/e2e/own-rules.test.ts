/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import {
  carriersOf,
  carriersOfEnvironment,
  describeProcess,
  killCarriersOfEnvironment,
  uniqueToken,
  waitUntil,
} from '../helpers/adversaries/token.ts';
import { BIN, claim, makeProject, type Project, scenarioOf } from '../helpers/cli.ts';

/** The module is the one that docs/REVIEW_RULES.md shows. */
const DOCUMENTED =
  /```js\n(\/\*\* @type[\s\S]*?)```/.exec(
    readFileSync(new URL('../../docs/REVIEW_RULES.md', import.meta.url), 'utf8'),
  )?.[1] ?? '';

function project(
  rules: string,
  actions: readonly ScenarioAction[],
  files: Readonly<Record<string, string>>,
): Project {
  return makeProject({
    'db/migrations/1.sql': 'create table a (b int);\n',
    ...files,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[review.rules]\n${rules}\n`,
    '.ralph/scenario.json': scenarioOf([{ do: actions }]),
  });
}

const shell = (command: string): ScenarioAction => ({ action: 'shell', command });
const NOTE: ScenarioAction = { action: 'write', path: 'a.txt', content: 'a\n' };

describe('rules of your own, in the built program', () => {
  it('are a module, as the docs show it', () => {
    const one = project(
      'custom_rules_path = ".ralph/rules.mjs"',
      [shell('rm db/migrations/1.sql'), NOTE, claim('a.txt:1 a')],
      { '.ralph/rules.mjs': DOCUMENTED },
    );
    expect(one.json('run').exit_code).toBe(0);
    expect(one.exists('db/migrations/1.sql')).toBe(true);
    expect(one.iteration(1).facts.review.blocked).toMatchObject([{ rule: 'migrations_in_pairs' }]);
  });

  it.each([
    [
      'a module',
      'rules.mjs',
      `export default [{ name: 'quiet_echo', judge: ({ action }) => action.command === 'echo loud > said.txt' ? { decision: 'modify', reason: 'Quietly.', command: 'echo quiet > said.txt' } : null }];\n`,
    ],
    [
      'a table',
      'rules.toml',
      '[[rule]]\nname = "quiet_echo"\nruling = "modify"\nwords = "echo loud*"\nreason = "Quietly."\ncommand = "echo quiet > said.txt"\n',
    ],
  ])(
    'change a command, and deny it with the change where the agent cannot be given one: %s',
    (_what, file, text) => {
      const one = project(
        `custom_rules_path = ".ralph/${file}"`,
        [shell('echo loud > said.txt'), NOTE, claim('a.txt:1 a')],
        {
          [`.ralph/${file}`]: text,
        },
      );
      expect(one.json('run').exit_code).toBe(0);
      expect(one.exists('said.txt')).toBe(false);
      const { reason } = one.iteration(1).facts.review.blocked[0] ?? {};
      expect(reason).toContain('Quietly. Instead: echo quiet > said.txt');
    },
  );

  it.each([
    [
      'a name that no rule has',
      'disabled = ["warn_deletion_out_of_scop"]',
      'Did you mean warn_deletion_out_of_scope?',
    ],
    ['a module that is not there', 'custom_rules_path = ".ralph/none.mjs"', '.ralph/none.mjs: '],
    ['a module that throws', 'custom_rules_path = ".ralph/bad.mjs"', 'no rules today'],
    ['a rule that cannot be read', 'custom_rules_path = ".ralph/bad.toml"', 'rule 1: '],
  ])('that cannot be taken end the run before it begins: %s', (_what, rules, message) => {
    const one = project(rules, [NOTE, claim('a.txt:1 a')], {
      '.ralph/bad.mjs': "throw new Error('no rules today');\n",
      '.ralph/bad.toml': '[[rule]]\nname = "x"\n',
    });
    const { code, stderr } = one.ralph('run');
    expect(code).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(message);
    expect(one.iterations()).toEqual([]);
  });

  it.each([
    ['throws', "throw new Error('no luck')", 'no luck'],
    ['hangs', 'for (;;);', 'and was ended'],
    ['ends', 'process.exit()', 'ended its own thread'],
  ])('deny where one %s, and are named at the end of the run', (_what, body, words) => {
    const one = project(
      'custom_rules_path = ".ralph/rules.mjs"',
      [shell('echo said > said.txt'), shell('echo well > well.txt'), claim('well.txt:1 well')],
      {
        '.ralph/rules.mjs': `export default [{ name: 'quiet_echo', judge({ action }) { if (action.command?.includes('said.txt')) { ${body} } } }];\n`,
      },
    );
    const { code, stdout } = one.ralph('run');
    expect([code, one.exists('said.txt'), one.exists('well.txt')]).toEqual([0, false, true]);
    const { review } = one.iteration(1).facts;
    expect(review.failedRules).toEqual([{ rule: 'quiet_echo', error: expect.stringContaining(words) }]);
    expect(review).toMatchObject({ denied: 0, harmless: 1, blocked: [] });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `Your rule "quiet_echo" doesn't work, so what it judged was denied: it `,
    );
  });

  it('may switch off the limit of file operations by its name', () => {
    const one = project(
      'disabled = ["limit_file_operations"]\n[limits]\nmax_file_operations = 1',
      [NOTE, { ...NOTE, path: 'b.txt' }, { ...NOTE, path: 'c.txt' }, claim('a.txt:1 a')],
      {},
    );
    expect(one.json('run').exit_code).toBe(0);
  });
});

describe.each(['auto', 'off'])('a module in a run that is killed, with [box] mode = "%s"', (mode) => {
  const token = uniqueToken();
  afterEach(() => {
    delete process.env.RULES_TOKEN;
    killCarriersOfEnvironment(token);
  });

  it('leaves no process, also none that left its group', async () => {
    const one = project(
      `custom_rules_path = ".ralph/rules.mjs"\n[box]\nmode = "${mode}"`,
      [shell('touch started'), { action: 'sleep', seconds: 600 }],
      {
        '.ralph/rules.mjs': `import { spawn } from 'node:child_process';
          export default [{ name: 'starts', judge({ action }) {
            if (action.command === 'touch started') spawn('sleep', ['3600'], { detached: true, stdio: 'ignore' }).unref();
          } }];\n`,
      },
    );
    process.env.RULES_TOKEN = token;
    const { child, ended } = one.start('run');
    await one.appears('started');
    const left = () => carriersOfEnvironment(token).map(describeProcess);
    expect(left().filter((line) => line.includes('sleep 3600'))).not.toEqual([]);
    expect(
      carriersOf('function startThread(module)').filter((pid) => carriersOfEnvironment(token).includes(pid)),
    ).not.toEqual([]);
    child.kill('SIGKILL');
    await ended;
    await waitUntil(() => left().length === 0, 'all had ended');
  });
});

it('a diff of any size comes by a pipe', () => {
  const lines = Array.from(
    { length: 15_000 },
    (_, index) => `+export const value${index} = ${index}; // padding padding`,
  );
  const diff = `diff --git a/a.js b/a.js\nnew file mode 100644\n--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n`;
  expect(diff.length).toBeGreaterThan(700_000);
  const one = makeProject({ 'diff.txt': diff });
  // The input is a pipe that its writer made non-blocking, as CI systems do.
  const writer = 'const fs=require("fs");process.stdout.write(fs.readFileSync("diff.txt"))';
  const run = spawnSync('sh', ['-c', '"$0" -e "$1" | "$0" "$2" review diff', process.execPath, writer, BIN], {
    cwd: one.root,
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
});
