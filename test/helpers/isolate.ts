import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives this process its own home, git identity and folder for temporary files, and none of your settings. Returns the
 * folder that holds all of them; the caller removes it.
 */
export function isolate(): string {
  const home = mkdtempSync(join(OUTER_TMPDIR, 'ralph-'));
  for (const name of Object.keys(process.env)) {
    // A whole run of the tests may set how copies are shown.
    if (name === 'RALPH_LAYERS') continue;
    if (name.startsWith('RALPH_') || name.startsWith('GIT_') || name.startsWith('XDG_'))
      delete process.env[name];
  }
  // Node reads this variable's file at each start, and no test uses the network.
  delete process.env.NODE_EXTRA_CA_CERTS;
  Object.assign(process.env, {
    HOME: home,
    TMPDIR: join(home, 'tmp'),
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
    LANG: 'C.UTF-8',
  });
  mkdirSync(tmpdir());
  // Most tests check the work tree as an attempt leaves it, so nothing is committed; tests of commits change that in
  // their project.
  mkdirSync(join(home, 'config', 'ralph'), { recursive: true });
  writeFileSync(join(home, 'config', 'ralph', 'config.toml'), '[git]\ncommit = "never"\n');
  // Some tests run a program as another user, who has to enter the folder.
  chmodSync(home, 0o755);
  return home;
}

/** Folder for temporary files outside of any test, because a test worker runs several test files one after another. */
const OUTER_TMPDIR = tmpdir();
