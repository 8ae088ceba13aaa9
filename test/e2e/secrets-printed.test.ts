/** @module-tag rest */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stateHomeOf } from '../../src/app/setup/state-home.ts';
import { makeProject, ONE_TASK, type Project, shellAgent } from '../helpers/cli.ts';
import { randomNumbers } from '../helpers/random-tree.ts';

const draw = randomNumbers(412);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const drawn = (length: number) =>
  Array.from({ length }, () => LETTERS[Math.floor(draw() * LETTERS.length)]).join('');

/** No file holds the secret, because programs put it together. */
const HALVES = [drawn(12), drawn(12)] as const;
const SECRET = HALVES.join('');
const MADE = `v=${HALVES[0]}; w=${HALVES[1]}; v=$v$w\n`;

/** The agent prints the secret wherever it can, and fails its gate, which prints it too. */
const AGENT = `${MADE}
echo "reading the settings: db.password=$v"
echo '{"client_secret": "'"$v"'"}'
echo "X-Auth-Token: $v" >&2
echo "mysql --password $v" >&2
mkdir -p src && date +%N >> src/a.js
git add src/a.js && git commit -qm "Use the token \\"$v\\""
printf "RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEVIDENCE: src/a.js:1 password: $v\\nEND_RALPH_STATUS\\n" "$RALPH_TASK_ID"
echo "All done, with password: $v"
`;
const GATE = `${MADE}
echo "TAP version 13"
echo "not ok 1 - signs in with password: $v"
echo "1..1"
echo "Set-Cookie: sid=$v; HttpOnly"
echo "postgres://app:$v@db.example/app refused" >&2
test ! -e src/a.js
`;
const HOOK = `#!/bin/sh\n${MADE}echo "hook: <password>$v</password>"\n`;

const FILES = {
  '.ralph/PRD.md': ONE_TASK,
  '.ralph/ralph.toml': `${shellAgent('max_attempts_per_task = 2\nmax_iterations = 3\n')}
[notify]
command = "cat >> .git/told"
[gates]
setup = "sh ./setup.sh"
[[gates.commands]]
name = "test"
run = "sh ./gate.sh"
parses = ["tap"]
`,
  'agent.sh': AGENT,
  'gate.sh': GATE,
  'setup.sh': `${MADE}echo "aws_secret_access_key = $v"\n`,
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Copies are left out, because they hold the work itself.
    if (entry.isDirectory()) return entry.name === 'slots' ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const leaking = (project: Project): string[] =>
  [project.path('.ralph'), stateHomeOf(project.path('.git'))]
    .flatMap(filesBelow)
    .filter((path) => readFileSync(path, 'latin1').includes(SECRET));

it('a secret that agents, gates, hooks and set-ups print is on no record and on no screen', () => {
  const project = makeProject(FILES);
  project.write('.git/hooks/pre-commit', HOOK, 0o755);
  const run = project.ralph('run');
  expect(`${run.stdout}${run.stderr}`).not.toContain(SECRET);
  expect(project.iterations().length, run.stderr).toBeGreaterThan(1);
  const records = filesBelow(project.path('.ralph/runs'));
  const logs = records.filter((path) => path.endsWith('.log'));
  expect(logs.some((path) => readFileSync(path, 'utf8').includes('db.password=[redacted]'))).toBe(true);
  expect(logs.some((path) => readFileSync(path, 'utf8').includes('app:[redacted]@db.example'))).toBe(true);
  for (const path of logs) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(records.filter((path) => path.endsWith('.open'))).toEqual([]);
  expect(leaking(project)).toEqual([]);
  expect(project.read('.git/told')).toContain('r-');
  expect(project.read('.git/told')).not.toContain(SECRET);
  // Hashes are of the redacted text; of the original text every record would look edited.
  const hashes = project
    .read('.ralph/journal.jsonl')
    .split('\n')
    .filter((line) => line.includes('"iteration_finished"'))
    .map((line) => /"recordSha256":"(\w+)"/.exec(line)?.[1]);
  const kept = records.filter((path) => path.endsWith('iteration.json'));
  const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  expect(kept.map(hashOf).sort()).toEqual(hashes.sort());
  expect(project.ralph('replay').stdout).toContain('0 differences');
  for (const command of [
    ['report'],
    ['status'],
    ['blocked'],
    ['logs', '1'],
    ['logs', '1', '--raw'],
    ['logs', '1', '--prompt'],
    ['interventions'],
  ]) {
    const shown = project.ralph(...command);
    expect(`${shown.stdout}${shown.stderr}`, command.join(' ')).not.toContain(SECRET);
  }
});

it('what a killed run left is rewritten by the start after it', async () => {
  const project = makeProject({
    ...FILES,
    'gate.sh': 'true\n',
    'agent.sh': `${MADE}echo "db.password=$v"; echo "password: $v" >&2; if [ ! -e stopped ]; then touch stopped begun; sleep 600; fi\n`,
  });
  const { child, ended } = project.start('run');
  await Promise.race([project.appears('begun'), ended]);
  child.kill('SIGKILL');
  await ended;
  const left = leaking(project);
  expect(left.map((path) => path.replace(/.*\//, '')).sort()).toEqual(['errors.log', 'output.log']);
  for (const path of left) expect(statSync(path).mode & 0o777).toBe(0o600);
  project.ralph('run', '--max-iterations', '1');
  expect(leaking(project)).toEqual([]);
  expect(readFileSync(left.find((path) => path.endsWith('output.log')) ?? '', 'utf8')).toContain(
    'db.password=[redacted]',
  );
  expect(filesBelow(project.path('.ralph/runs')).filter((path) => path.endsWith('.open'))).toEqual([]);
});
