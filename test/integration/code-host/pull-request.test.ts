import { writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openPullRequest } from '../../../src/io/code-host/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

const URL = 'https://github.com/o/n/pull/1';
const ONE = JSON.stringify([{ number: 1, html_url: URL, body: '' }]);
const LOOK = 'gh pr list --repo github.com/o/n --head ralph/main';
const OPEN = 'gh pr create --repo github.com/o/n --head ralph/main --base main';
const FAILS = 'echo "HTTP 502" >&2; exit 1';

it.each([
  ['its list fails', FAILS, '', { url: null, reason: 'gh says: HTTP 502', next: LOOK }],
  ["its list isn't JSON", 'echo "<html>"', '', { url: null, next: LOOK }],
  ['its update fails', `echo '${ONE}'`, FAILS, { url: URL, next: LOOK }],
  ['it opens none', "echo '[]'", FAILS, { url: null, next: OPEN }],
  ['it says nothing of the one that it opened', "echo '[]'", "echo '[]'", { url: null, next: LOOK }],
])('a code host of which %s is named with a command that helps', async (_, list, change, expected) => {
  const folder = temporaryFolder();
  const script = `#!/bin/sh\ncase "$*" in *GET*) ${list} ;; *) ${change || 'exit 9'} ;; esac\n`;
  writeFileSync(`${folder}/gh`, script, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  const opened = await openPullRequest(temporaryFolder(), {
    ...{ urls: ['https://github.com/o/n.git'], head: 'ralph/main', base: 'main' },
    ...{ draft: true, mayOpen: true, title: 't', report: 'r' },
  });
  expect(opened).toMatchObject({ ok: false, ...expected });
});
