/** @module-tag rest */

import { expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

const TEST = `import { it } from 'node:test';
import assert from 'node:assert';

it('adds', () => {
  assert.equal(sum(1, 2), 3);
});
`;

it('what you aborted at a gate is neither asked nor reported a second time', async () => {
  const project = makeProject({
    'sum.test.js': TEST,
    '.ralph/ralph.toml': shellAgent(),
    'agent.sh': `cat > /dev/null
[ -e .ralph/go ] || sed -i "s/it('adds'/it.skip('adds'/" sum.test.js
echo x >> x.txt
${SHELL_CLAIM}`,
  });
  expect(await project.jsonLater('run')).toMatchObject({ exit_code: 5 });
  expect(project.json('approvals').open).toMatchObject([{ id: 'G-1', gate: 'GATE-AP-DESTRUCTIVE' }]);
  expect(project.json('approvals', 'decide', 'G-1', 'abort', '--reason', 'no')).toMatchObject({
    exit_code: 0,
  });

  const [event] = project.events();
  const again = project.ralph('approvals', 'report', String(event?.id), '--reason', 'It is fine');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('was decided at G-1: abort') });
  expect(again.stderr).toContain('ralph unblock T-1');

  expect(project.ralph('unblock', 'T-1').code).toBe(0);
  project.write('.ralph/go', '');
  expect(await project.jsonLater('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
  expect(project.read('sum.test.js')).toBe(TEST);
  expect(project.json('approvals').open).toEqual([]);
});
