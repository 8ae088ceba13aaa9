/** @module-tag slow */

import { chmodSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';

withoutBox();

afterEach(() => {
  vi.unstubAllEnvs();
});

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

it('a signature that was waited for in vain is waited for once a run', () => {
  vi.stubEnv('RALPH_PATIENCE', '8');
  const one = makeProject({
    '.gitignore': 'asked\n',
    '.ralph/PRD.md': '## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n',
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n`,
    'agent.sh': `cat > /dev/null\necho work > $RALPH_TASK_ID.txt\n${SHELL_CLAIM}`,
  });
  // The counter lies beside the repository, where it blocks nothing.
  one.write(
    '.git/gpg.sh',
    `#!/bin/sh\necho asked >> '${one.path('.git/asked')}'\ntail -f /dev/null\n:\n`,
    0o755,
  );
  one.git('config', 'commit.gpgsign', 'true');
  one.git('config', 'gpg.program', one.path('.git/gpg.sh'));
  const { not_committed: waiting } = one.json('run');
  expect(waiting.map(({ id, why }: Record<string, string>) => [id, why])).toEqual(
    ['T-1', 'T-2', 'T-3'].map((id) => [id, expect.stringContaining('could not be signed')]),
  );
  expect(one.read('.git/asked').trim().split('\n')).toHaveLength(1);
  one.git('config', 'commit.gpgsign', 'false');
  expect(one.json('land').landed).toHaveLength(3);
});
