/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ENGINES } from '../helpers/engines.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { named } from '../helpers/workers.ts';

/** No file holds the whole secret: agent and gate put it together. */
const HALVES = ['q7Zk2vXw9Lp4', 'Tn8RbYc3Jd6M'] as const;
const SECRET = HALVES.join('');
const JOINED = `['${HALVES[0]}', '${HALVES[1]}'].join('')`;

/**
 * The agent prints the secret wherever it can, and commits it in a message; the gate fails the first time, and prints
 * it, too.
 */
const ACTS = `
const secret = ${JOINED};
console.log('reading the settings: db.password=' + secret);
console.error('X-Auth-Token: ' + secret);
fs.writeFileSync(id + '.txt', 'attempt ' + attempt + '\\n');
const { execFileSync } = await import('node:child_process');
execFileSync('git', ['add', '-A']);
execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'Use the password: ' + secret]);
return id + '.txt:1-1 password: ' + secret;
`;
const GATE = `
echo "postgres://app:${HALVES[0]}\${NOTHING}${HALVES[1]}@db.example/app refused" >&2
test ! -e T-1.txt || grep -q "attempt 2" T-1.txt
`;

/** Returns the content of all objects of a repository. */
function contentOf(repository: string): string {
  const { stdout } = spawnSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    cwd: repository,
    maxBuffer: 2 ** 30,
  });
  return stdout.toString('latin1');
}

it.skipIf(!ENGINES[0].isHere)(
  'what a worker sends holds no secret that its agent and its gate printed, nor does the prompt of the next',
  async () => {
    const fleet = await fleetProject(named(1), {
      acts: ACTS,
      gate: GATE,
      loop: 'max_attempts_per_task = 3\n',
    });
    const { child, ended } = fleet.worker('one', fleet.place());
    try {
      expect(await reportOf(fleet.coordinate())).toMatchObject({ exit_code: 0, iterations: 2 });
    } finally {
      child.kill('SIGTERM');
      await ended;
      await fleet.server.stop();
    }
    const sent = contentOf(fleet.bare);
    expect(sent.includes('reading the settings')).toBe(true);
    expect(sent.includes('Use the password')).toBe(true);
    expect(sent.includes('ralph.fleet-result.v1')).toBe(true);
    expect(sent.includes(SECRET)).toBe(false);
    expect(contentOf(fleet.project.root).includes(SECRET)).toBe(false);
  },
);
