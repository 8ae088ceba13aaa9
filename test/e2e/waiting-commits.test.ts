/** @module-tag slow */

import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';

withoutBox();

it('a signature that waits for a PIN ends at the first Ctrl-C; the work stays, and what waited is said', async () => {
  const one = makeProject({
    '.gitignore': 'asked\n',
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n`,
    'agent.sh': `cat > /dev/null\necho work > work.txt\n${SHELL_CLAIM}`,
    'gpg.sh': '#!/bin/sh\ntouch asked\ntail -f /dev/null\n:\n',
  });
  one.git('config', 'commit.gpgsign', 'true');
  one.git('config', 'gpg.program', one.path('gpg.sh'));
  chmodSync(one.path('gpg.sh'), 0o755);
  const run = one.start('run');
  await one.appears('asked');
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/T-1 is verified and waits: .*sign/);
  expect(one.exists('work.txt')).toBe(false);
  expect(one.json('tasks').tasks[0]).toMatchObject({ id: 'T-1', status: 'done' });
  const status = one.ralph('status').stdout.replace(/\s+/g, ' ');
  expect(status).toMatch(/T-1 Write the parser Verified, and waits: .*sign.* ralph land/);
  expect(one.json('report').next[0]).toMatch(/^ralph land/);
  one.git('config', 'commit.gpgsign', 'false');
  expect(one.ralph('land').code).toBe(0);
  expect(one.read('work.txt')).toBe('work\n');
});
