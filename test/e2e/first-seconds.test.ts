/** @module-tag rest */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BIN, makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { finishedOf } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

/** Puts a git on the PATH of which one call makes the file `waits`, and then waits for the file `go`. */
function waitingGit(which: number) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const text = `#!/bin/sh
PATH='${process.env.PATH}'
cd_to='${folder}'
echo >> "$cd_to/calls"
if [ "$(wc -l < "$cd_to/calls")" -eq ${which} ]; then
  touch "$cd_to/waits"
  until [ -e "$cd_to/go" ]; do sleep 0.05; done
fi
exec git "$@"
`;
  writeFileSync(at('git'), text, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  return {
    waits: () => eventually(() => expect(readdirSync(folder)).toContain('waits')),
    go: () => writeFileSync(at('go'), ''),
  };
}

function startRun({ root }: Project, ...args: string[]) {
  // The process has a process group of its own, as from a shell.
  const child = spawn(process.execPath, [BIN, 'run', ...args], {
    ...{ cwd: root, detached: true, env: { ...process.env, RALPH_TRUST: '1' } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { pid: child.pid ?? 0, ended: finishedOf(child) };
}

const ONCE = (pid: number) => void process.kill(pid, 'SIGINT');
const TWICE = (pid: number) => {
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGINT');
};
const GROUP = (pid: number) => void process.kill(-pid, 'SIGTERM');

const project = () =>
  makeProject({
    '.ralph/ralph.toml': shellAgent(),
    'agent.sh': `cat > /dev/null; echo x > parser.js\n${SHELL_CLAIM}`,
  });

/** Returns a ralph whose modules load once the file `go` exists; the file `waits` says that it has started. */
function slowlyLoaded() {
  const folder = temporaryFolder();
  const main = new URL('../dist/cli/start.js', pathToFileURL(BIN)).href;
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'dist/cli'), { recursive: true });
  copyFileSync(BIN, join(folder, 'bin/ralph.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'dist/cli/start.js'),
    `import { existsSync, writeFileSync } from 'node:fs';
writeFileSync('${folder}/waits', '');
while (!existsSync('${folder}/go')) await new Promise((done) => setTimeout(done, 20));
await import('${main}');\n`,
  );
  return { folder, bin: join(folder, 'bin/ralph.js') };
}

describe('before anything is run', () => {
  it.each([
    ['Ctrl-C', 'Ctrl-C', 130, ONCE],
    ['two of it', 'Ctrl-C', 130, TWICE],
    ['SIGTERM', 'SIGTERM', 143, GROUP],
  ] as const)('%s while the program is loaded is one sentence', async (_what, by, code, signal) => {
    const one = project();
    const { folder, bin } = slowlyLoaded();
    const child = spawn(process.execPath, [bin, 'run'], {
      ...{ cwd: one.root, detached: true, env: { ...process.env, RALPH_TRUST: '1' } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = finishedOf(child);
    await eventually(() => expect(readdirSync(folder)).toContain('waits'));
    signal(child.pid ?? 0);
    writeFileSync(join(folder, 'go'), '');
    expect(await ended).toEqual({ code, stdout: '', stderr: `ralph: Stopped by ${by}: nothing was run.\n` });
    expect(one.exists('.ralph/runs')).toBe(false);
  });

  it.each([
    ['Ctrl-C', 'Ctrl-C', 130, ONCE],
    ['two of it', 'Ctrl-C', 130, TWICE],
    ['SIGTERM to the group', 'SIGTERM', 143, GROUP],
  ] as const)('%s is one sentence, wherever git is', async (_what, by, code, signal) => {
    const one = project();
    for (const which of [1, 2, 4, 8, 11]) {
      const git = waitingGit(which);
      const { pid, ended } = startRun(one);
      await git.waits();
      signal(pid);
      git.go();
      expect(await ended, `call ${which}`).toEqual({
        code,
        stdout: '',
        stderr: `ralph: Stopped by ${by}: nothing was run.\n`,
      });
      vi.unstubAllEnvs();
    }
    expect(readdirSync(one.path('.git')).filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(one.git('status', '--porcelain', '-uno')).toBe('');
    expect(one.ralph('run').code).toBe(0);
  });

  it('a signal ends a command that answers none, while the program is loaded and just after it', async () => {
    const folder = temporaryFolder();
    const file = (name: string) => join(folder, name);
    const start = (bin: string, ...args: string[]) => {
      const child = spawn(process.execPath, [...args, bin, 'doctor'], { cwd: folder, stdio: 'ignore' });
      return { child, ended: once(child, 'exit') };
    };
    mkdirSync(file('bin'));
    mkdirSync(file('dist/cli'), { recursive: true });
    copyFileSync(BIN, file('bin/ralph.js'));
    writeFileSync(file('package.json'), '{ "type": "module" }');
    writeFileSync(
      file('dist/cli/start.js'),
      `setInterval(() => {}, 1000);
process.kill(process.pid, 'SIGTERM');
await new Promise((done) => process.once('SIGTERM', done));\n`,
    );
    expect(await start(file('bin/ralph.js')).ended).toEqual([null, 'SIGTERM']);
    writeFileSync(
      file('just-then.mjs'),
      `const off = process.off;
process.off = function (signal, listener) {
  if (signal === 'SIGTERM' && listener.name !== 'note') {
    process.off = off;
    process.kill(process.pid, signal);
  }
  return off.call(process, signal, listener);
};\n`,
    );
    expect(await start(BIN, '--import', file('just-then.mjs')).ended).toEqual([null, 'SIGTERM']);
  });

  it('as JSON it is an error of the one document', async () => {
    const one = project();
    const git = waitingGit(4);
    const { pid, ended } = startRun(one, '--json');
    await git.waits();
    ONCE(pid);
    git.go();
    const { code, stdout, stderr } = await ended;
    expect([code, stderr, JSON.parse(stdout)]).toMatchObject([
      130,
      '',
      { cmd: 'run', exit_code: 130, error: { message: 'Stopped by Ctrl-C: nothing was run.' } },
    ]);
  });
});
