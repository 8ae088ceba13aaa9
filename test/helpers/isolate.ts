// Every test process gets a git identity and configuration of its own and no settings of the person who runs it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = mkdtempSync(join(tmpdir(), 'ralph-home-'));
for (const name of Object.keys(process.env)) {
  if (name.startsWith('RALPH_') || name.startsWith('GIT_') || name.startsWith('XDG_'))
    delete process.env[name];
}
Object.assign(process.env, {
  HOME: home,
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CONFIG_HOME: join(home, 'config'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'Test Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
  NO_COLOR: '1',
  TZ: 'UTC',
});
