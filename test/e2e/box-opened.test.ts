/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { chmodSync, lchownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { makeProject, type Project, projectAt, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const AGENT = `cat > /dev/null\necho parser > parser.txt\n: > agent-was-here\n${SHELL_CLAIM}`;

/** Returns a project with this gate and these lines of `[box]`. */
function gated(run: string, box = ''): Project {
  return makeProject({
    'agent.sh': AGENT,
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}[gates]\ncommands = [{ name = "check", run = ${JSON.stringify(run)} }]\n${box}`,
  });
}

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
});

const connect = (path: string) =>
  `${process.execPath} -e 'require("net").connect("${path}").on("connect", () => process.exit(0)).on("error", (e) => { console.error(e.message); process.exit(1); })'`;

/** Listens on a socket outside of the folders of a test, because a box shows those folders. */
async function listening(): Promise<string> {
  const path = join(dirname(dirname(tmpdir())), `ralph-db-${process.pid}.sock`);
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  return path;
}

describe.skipIf(!isWholeBox)('a gate that is red in the box and green outside', () => {
  it('keeps the run from starting, and the line that it names opens what it needs', () => {
    const place = join(process.cwd(), 'node_modules', '.cache', `tool-${process.pid}`);
    mkdirSync(place, { recursive: true });
    const project = gated(`touch ${place}/x`);
    const { code, stderr } = project.ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('check')]);
    expect(stderr).toContain(`[box] writable = ["${place}"]`);
    expect(project.exists('agent-was-here')).toBe(false);
    const opened = gated(`touch ${place}/x`, `[box]\nwritable = ["${place}"]\n`);
    expect(opened.ralph('run').code).toBe(0);
    rmSync(place, { recursive: true });
  });

  it('by a file of the home folder: it is found by halves, and can be shown', () => {
    mkdirSync(join(homedir(), '.config', 'tool'), { recursive: true });
    for (let at = 0; at < 12; at += 1) mkdirSync(join(homedir(), `.other-${at}`), { recursive: true });
    writeFileSync(join(homedir(), '.config', 'tool', 'settings'), 'yes\n');
    vi.stubEnv('XDG_CONFIG_HOME', undefined);
    const gate = 'grep -q yes ~/.config/tool/settings';
    const { code, stderr } = gated(gate).ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('[box] readable = ["~/.config/tool"]')]);
    expect(gated(gate, '[box]\nreadable = ["~/.config/tool"]\n').ralph('run').code).toBe(0);
  });

  it('by a variable: it is found, and can be passed', () => {
    vi.stubEnv('DATABASE_URL', 'postgres://localhost/test');
    const gate = 'test -n "$DATABASE_URL"';
    const { code, stderr } = gated(gate).ralph('run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('[gates] env = ["DATABASE_URL"]')]);
    expect(gated(gate, 'env = ["DATABASE_*"]\n').ralph('run').code).toBe(0);
  });

  it('a gate that a registry refuses names the file that signs in', () => {
    const { stdout, stderr } = gated('echo "npm error code E401"; exit 1').ralph('run');
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain('[box] readable = ["~/.npmrc"]');
  });

  it('by a socket: it is named, and can be opened', async () => {
    const path = await listening();
    const project = gated(connect(path));
    const run = project.start('run');
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`sockets = ["${path}"]`)]);
    const opened = gated(connect(path), `[box]\nsockets = ["${path}"]\n`);
    expect((await opened.start('run').ended).code).toBe(0);
  });

  it('a gate that is red on both sides is as it always was', () => {
    const project = gated('exit 1');
    const { code, stderr } = project.ralph('run');
    expect([code === 2, stderr]).toEqual([false, '']);
    expect(project.exists('agent-was-here')).toBe(true);
  });
});

/** Returns an agent that runs each command and writes down whether it worked. */
function tries(commands: readonly string[]) {
  const lines = commands.map(
    (one) => `if (${one}) >/dev/null 2>&1; then echo 'yes: ${one}'; else echo 'no: ${one}'; fi`,
  );
  return makeProject({
    'agent.sh': `cat > /dev/null\n{\n${lines.join('\n')}\n} > said.txt\necho parser > parser.txt\n${SHELL_CLAIM}`,
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}[git]\ncommit = "on_done"\n`,
    '.gitignore': 'said.txt\n',
  });
}

/** Returns a PATH whose bubblewrap runs these lines before it starts. */
function instead(lines: string): string {
  const bin = temporaryFolder();
  const real = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${lines}\nexec ${real} "$@"\n`);
  chmodSync(join(bin, 'bwrap'), 0o755);
  return `${bin}:${process.env.PATH}`;
}

describe.skipIf(!isWholeBox)('where /proc can not be mounted', () => {
  it('files are isolated alone, which a run and doctor say', () => {
    vi.stubEnv(
      'PATH',
      // A container that masks `/proc` refuses exactly this mount.
      instead(
        'for one; do if [ "$one" = --proc ]; then echo "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2; exit 1; fi; done',
      ),
    );
    vi.stubEnv('OUTSIDE', String(process.pid));
    const commands = ['touch here', 'touch ~/x', 'touch .ralph/x', 'git config a.b c', 'kill -0 "$OUTSIDE"'];
    const project = tries(commands);
    const { code, stdout } = project.ralph('run');
    expect(stdout).toContain('box: files only; processes are not isolated here');
    expect(code).toBe(0);
    expect(project.readCopy('said.txt').trim().split('\n')).toEqual(
      ['yes', 'yes', 'no', 'yes', 'yes'].map((answer, at) => `${answer}: ${commands[at]}`),
    );
    const doctor = project.ralph('doctor').stdout.replace(/\s+/g, ' ');
    expect(doctor).toContain("box: files only; processes are not isolated here: Can't mount proc");
    expect(doctor).toContain('--security-opt systempaths=unconfined');
    vi.stubEnv('RALPH_BOX_MODE', 'require');
    expect(project.ralph('run')).toMatchObject({ code: 2 });
  });
});

describe.skipIf(!isWholeBox || process.getuid?.() !== 0)('root in a repository of another user', () => {
  it('works there, commits, and reaches nothing else', () => {
    const safe = join(temporaryFolder(), 'gitconfig');
    writeFileSync(safe, '[safe]\n\tdirectory = *\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', safe);
    const commands = [
      'touch here',
      'git add here',
      'git commit -qm mine',
      'touch ~/x',
      'touch .ralph/x',
      'git config a.b c',
    ];
    const project = tries(commands);
    giveAway(project.root);
    const { code, stdout, stderr } = project.ralph('run');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('box: on');
    expect(project.readCopy('said.txt').trim().split('\n')).toEqual(
      ['yes', 'yes', 'yes', 'yes', 'no', 'yes'].map((answer, at) => `${answer}: ${commands[at]}`),
    );
    expect(project.git('log', '-1', '--format=%s', '--', 'parser.txt')).toBe('Write the parser (T-1)');
    expect(project.ralph('doctor', '-v').stdout).toMatch(/(\d+) of \1 escape attempts blocked/);
  });

  function giveAway(folder: string): void {
    lchownSync(folder, 12_345, 12_345);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) giveAway(path);
      else lchownSync(path, 12_345, 12_345);
    }
  }
});

describe.skipIf(!isWholeBox)('ralph doctor', () => {
  it('tries the box from inside, and says what it is', () => {
    const project = gated('true');
    const { stdout } = project.ralph('doctor', '-v');
    expect(stdout).toMatch(/✔ box: on: (\d+) of \1 escape attempts blocked/);
  });

  it('tries it also in a folder with an odd name', () => {
    const { root } = gated('true');
    const odd = `${root} with\tblanks and a \\`;
    renameSync(root, odd);
    expect(projectAt(odd).ralph('doctor', '-v').stdout).toMatch(/(\d+) of \1 escape attempts blocked/);
  });

  it('names what can be written from inside', () => {
    // This stands for a faulty bubblewrap that forgets one of the mounts.
    vi.stubEnv(
      'PATH',
      instead(
        'n=$#; while [ $n -gt 0 ]; do a=$1; shift; n=$((n - 1)); case "$a $1" in "--ro-bind "*/.ralph) shift 2; n=$((n - 2)) ;; *) set -- "$@" "$a" ;; esac; done',
      ),
    );
    const project = gated('true');
    const { code, stdout } = project.ralph('doctor');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `✖ box: on: from inside it was possible to write ${project.root}/.ralph`,
    );
    expect(code).toBe(2);
  });
});
