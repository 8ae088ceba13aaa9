/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts a registry with one package, reached by the name of this machine. */
async function registry(): Promise<{
  readonly host: string;
  readonly url: string;
  readonly asked: string[];
}> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dep'));
  writeFileSync(join(folder, 'dep', 'package.json'), '{"name":"dep","version":"1.0.0","main":"i.js"}');
  writeFileSync(join(folder, 'dep', 'i.js'), 'module.exports = 1');
  expect(spawnSync('npm', ['pack', '--silent', './dep'], { cwd: folder }).status).toBe(0);
  const tarball = readFileSync(join(folder, 'dep-1.0.0.tgz'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/dep/-/dep-1.0.0.tgz') response.end(tarball);
    else response.writeHead(404).end();
  });
  ends.push(() => server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '::', resolve);
  });
  const address = server.address();
  const host = `${hostname()}:${typeof address === 'object' ? address?.port : ''}`;
  return { host, url: `http://${host}`, asked };
}

/** Returns a project whose gate and agent install the package; the agent also asks another host. */
function installing(url: string, box: string) {
  const lock = {
    ...{ name: 'a', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'a', version: '1.0.0', dependencies: { dep: '1.0.0' } },
      'node_modules/dep': { version: '1.0.0', resolved: `${url}/dep/-/dep-1.0.0.tgz` },
    },
  };
  const install = 'npm ci --no-audit --no-fund --fetch-retries=0 --cache "$(mktemp -d)"';
  return makeProject({
    'package.json': '{"name":"a","version":"1.0.0","dependencies":{"dep":"1.0.0"}}',
    'package-lock.json': JSON.stringify(lock),
    '.npmrc': `registry=${url}/\n`,
    '.gitignore': 'node_modules\n',
    'agent.sh': `cat > /dev/null\n${install} > /dev/null && node -e 'require("dep")' && echo parser > parser.txt\ncurl -s http://elsewhere.example:8080/ > /dev/null\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}[gates]\nsetup = ""\ncommands = [{ name = "install", run = "${install.replaceAll('"', '\\"')} && node -e 'require(\\"dep\\")'" }]\n${box}`,
  });
}

describe.skipIf(!isWholeBox)('[box] network with a list', () => {
  it('npm ci of agent and gate works by it, and what it refused is in the report', async () => {
    const { host, url, asked } = await registry();
    const port = host.split(':')[1];
    const list = `["${host}", "127.0.0.1:${port}", "[::1]:${port}"]`;
    const project = installing(url, `[box]\nnetwork = ${list}\n[git]\ncommit = "on_done"\n`);
    const hook = join(project.root, '.git/hooks/pre-commit');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ncurl -s ${url}/hook > /dev/null\n`, { mode: 0o755 });
    const { code, stdout } = await project.start('run').ended;
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('box: on; network: agents 3 hosts, gates 3 hosts'),
    ]);
    // The package is fetched for the baseline, by the agent, and by the gate on what lands.
    expect(asked.filter((path) => path.endsWith('.tgz')).length).toBeGreaterThanOrEqual(3);
    expect(asked).toContain('/hook');
    const line = '[box] network = [..., "elsewhere.example:8080"]';
    expect(project.ralph('report').stdout.replace(/\s+/g, ' ')).toContain(
      `1 host refused. To allow it: ${line}`,
    );
    expect(project.ralph('report', '--format', 'markdown').stdout).toContain('elsewhere.example:8080');
    expect(project.events().filter(({ event_type }) => event_type === 'host_refused')).toMatchObject([
      { details: { entry: 'elsewhere.example:8080', setting: 'network', by: 'agent', task_id: 'T-1' } },
    ]);
    const shown = project.ralph('doctor', '-v').stdout.replace(/\s+/g, ' ');
    expect(shown).toContain('network: agents 3 hosts, gates 3 hosts');
  });

  it('without the registry in it, a gate that needs it keeps the run from starting, with the line', async () => {
    const { host, url, asked } = await registry();
    const project = installing(url, '[box]\nnetwork = "on"\ngate_network = ["a.example"]\n');
    const { code, stderr } = await project.start('run').ended;
    const found = asked.length;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[box] gate_network = [..., "${host}"]`)]);
    // A failing gate runs once outside of the box, to see whether it would pass there.
    expect(found).toBe(1);
  });

  it('an old switch is an error that says what to write', () => {
    const project = installing('http://a.example', '[box]\nnetwork = false\n');
    const { code, stderr } = project.ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\[box\] network: expected .*; write "off"/)]);
  });
});
