/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { always, claim, makeProject } from '../helpers/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** This gate fails if it sees variables that npm sets for scripts, which a gate started at a prompt doesn't see. */
const GATE = `test -z "$npm_config_prefix$npm_package_name$INIT_CWD" && ! echo ":$PATH:" | grep -q ":${ROOT}node_modules/.bin:"`;
const SETTINGS = `[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "clean", run = ${JSON.stringify(GATE)} }]\n`;

/** The environment of a prompt lacks the variables that npm, which runs these tests, has added. */
const PROMPT = Object.fromEntries(
  Object.entries({
    ...process.env,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  }).filter(([name]) => !/^(?:npm_|INIT_CWD$)/.test(name)),
);
/** The change breaks the one function that prints a document. */
const BREAKS = `const { stringify } = JSON;
JSON.stringify = (value, ...rest) => {
  if (value?.cmd !== undefined) throw new Error('broken');
  return stringify(value, ...rest);
};
`;

/** Runs `npm run dev` in a folder, as a user types it. */
function dev(cwd: string, ...args: string[]) {
  return spawnSync('npm', ['--prefix', ROOT, 'run', '--silent', 'dev', '--', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...PROMPT, RALPH_TRUST: '1' },
  });
}

it('runs the sources where npm is called, with an agent, and gates that see nothing of npm', () => {
  const { root, json, read } = makeProject({
    '.ralph/scenario.json': always(
      { action: 'write', path: 'parser.js', content: 'export {};\n' },
      claim('parser.js'),
    ),
    '.ralph/ralph.toml': SETTINGS,
  });
  const ran = dev(root, 'run');
  expect(ran, ran.stdout + ran.stderr).toMatchObject({ status: 0, stderr: '' });
  expect(ran.stdout).toContain('✔ clean');
  expect(read('.ralph/PRD.md')).toContain('- [x] **T-1**');
  expect(JSON.parse(dev(root, 'status', '--json').stdout).tasks).toEqual(json('status').tasks);
});

it('the stack of an error names the lines of the sources', () => {
  const { root, write, path } = makeProject();
  write('breaks.cjs', BREAKS);
  const args = ['--require', path('breaks.cjs'), `${ROOT}scripts/dev.mjs`, 'status', '--json', '--verbose'];
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const lines = readFileSync(`${ROOT}src/cli/print.ts`, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('JSON.stringify(')) + 1;
  expect(stderr).toContain('broken');
  expect(stderr).toContain(`src/cli/print.ts:${line}:`);
});
