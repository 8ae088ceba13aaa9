/** @module-tag slow */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';
import { serveSite } from '../helpers/page/site.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

/** This script enters the page with the token in its record, as a program of the same user can without a box. */
const ENTERS = `
import { readFileSync, writeFileSync } from 'node:fs';
const { url } = JSON.parse(readFileSync(process.env.XDG_STATE_HOME + '/ralph/page.json', 'utf8'));
const { origin, hash } = new URL(url);
const answer = await fetch(origin + '/enter', {
  method: 'POST', redirect: 'manual', headers: { origin }, body: new URLSearchParams({ token: hash.split('=')[1] }),
});
writeFileSync(process.argv[2], answer.status + ' ' + (await answer.text()));
`;

it.runIf(process.platform === 'linux')('an agent that found the token decides nothing by it', async () => {
  const out = join(temporaryFolder(), 'answer');
  const project = makeProject({
    'enter.mjs': ENTERS,
    'agent.sh': `node enter.mjs ${out}\necho a > a.txt\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': shellAgent(),
  });
  const site = await serveSite(project);
  project.ralph('run');
  expect(readFileSync(out, 'utf8')).toBe("403 A run started this program, so it can't decide for you.\n");
  // You can still enter.
  expect(await site.enter()).toMatchObject({ status: 303 });
  site.child.kill('SIGINT');
  await site.ended;
});

it('an agent that starts the page is refused, as by each command that decides', () => {
  const out = join(temporaryFolder(), 'answer');
  const project = makeProject({
    'agent.sh': `node ${join(import.meta.dirname, '../../bin/ralph.js')} page > ${out} 2>&1\necho a > a.txt\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': shellAgent(),
  });
  project.ralph('run');
  expect(readFileSync(out, 'utf8')).toContain('ralph page decides for you, and this was started by');
});
