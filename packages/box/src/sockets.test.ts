import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { boxesOf, isWholeBox } from '../../../test/helpers/boxed.ts';
import { makeRepository } from '../../../test/helpers/repository.ts';

/** Folders of this test where others have theirs: those of a test lie below its home folder. */
const outer = dirname(dirname(tmpdir()));
const made: string[] = [];
const canRun = spawnSync('sh', ['-c', '[ -w /run ]']).status === 0;

function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'ralph-sockets-'));
  made.push(folder);
  return folder;
}

function folderBelow(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  made.push(folder);
  return folder;
}

type Place = {
  readonly name: string;
  /** Returns the path at which the socket listens. */
  readonly path: () => string;
  /** Name of the variable that leads to the socket. */
  readonly variable?: string;
  readonly value?: (path: string) => string;
  /** Whether the socket's folder is readable in the box. */
  readonly isReadable?: true;
};

const IN_RUN: readonly Place[] = [
  { name: 'docker', path: () => join(folderIn('/run'), 'docker.sock') },
  {
    name: 'D-Bus',
    path: () => join(folderIn('/run'), 'bus'),
    variable: 'DBUS_SESSION_BUS_ADDRESS',
    value: (path) => `unix:path=${path}`,
  },
  {
    name: 'systemd',
    path: () => join(folderIn('/run'), 'private'),
    variable: 'XDG_RUNTIME_DIR',
    value: dirname,
  },
];

const PLACES: readonly Place[] = [
  { name: 'ssh-agent', path: () => join(folderIn(outer), 'agent.1'), variable: 'SSH_AUTH_SOCK' },
  {
    name: 'ssh-agent elsewhere',
    path: () => join(folderIn(homedir()), 'agent'),
    variable: 'SSH_AUTH_SOCK',
  },
  { name: 'gpg-agent', path: () => join(homedir(), '.gnupg', 'S.gpg-agent') },
  {
    name: 'tmux',
    path: () => join(folderIn(outer), 'default'),
    variable: 'TMUX',
    value: (path) => `${path},1,0`,
  },
  {
    name: 'docker by its variable',
    path: () => join(folderIn(homedir()), 'docker.sock'),
    variable: 'DOCKER_HOST',
    value: (path) => `unix://${path}`,
  },
  {
    name: 'X11',
    path: () => join(folderIn(outer), 'X0'),
    variable: 'DISPLAY',
    value: (path) => `unix:${path}`,
  },
  {
    name: 'Wayland',
    path: () => join(folderIn(outer), 'wayland-0'),
    variable: 'WAYLAND_DISPLAY',
  },
  { name: 'of a daemon among toolchains', path: () => join(folderBelow(homedir(), '.local/bin'), 's.sock') },
  { name: 'of a daemon in a cache', path: () => join(folderBelow(homedir(), '.cache/pip'), 's.sock') },
  {
    name: 'of a daemon in what [box] readable shows',
    path: () => join(folderIn(outer), 's.sock'),
    isReadable: true,
  },
  ...(canRun ? IN_RUN : []),
];

const servers: Server[] = [];

/** Accepts whoever comes: that is done by the kernel, also while this process waits. */
async function listen(at: { path: string } | { port: number; host: string }): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A shell command that succeeds where a program gets through. */
const connects = (to: string) =>
  `'${process.execPath}' -e 'require("net").connect(${to}).on("connect", () => process.exit(0)).on("error", () => process.exit(1))'`;
const toPath = (path: string) => connects(`{ path: "${path}" }`);

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isWholeBox)('sockets', () => {
  let root = '';
  beforeAll(() => {
    root = makeRepository().root;
    mkdirSync(join(homedir(), '.gnupg'), { recursive: true });
  });

  it.each(PLACES)('$name: out of reach, and so is the variable that leads there', async (place) => {
    const path = place.path();
    await listen({ path });
    expect(spawnSync('sh', ['-c', toPath(path)]).status).toBe(0);
    const variable = place.variable ?? 'NO_SUCH_VARIABLE';
    const env = { ...process.env, [variable]: place.value?.(path) ?? path };
    const readable = place.isReadable ? [dirname(path)] : [];
    const inBox = boxesOf(root, { env, settings: { readable } });
    if (place.isReadable) expect(inBox('agent', `ls '${path}'`)).toMatchObject({ code: 0 });
    for (const role of ['agent', 'gate', 'git'] as const) {
      expect(inBox(role, toPath(path)), role).toMatchObject({ code: 1 });
      if (place.variable !== undefined)
        expect(inBox(role, `[ -z "$${variable}" ]`), role).toMatchObject({ code: 0 });
    }
  });

  it('[box] sockets opens one: that of a database', async () => {
    const path = join(folderIn(outer), 'db.sock');
    await listen({ path });
    expect(boxesOf(root)('gate', toPath(path)).code).toBe(1);
    expect(boxesOf(root, { settings: { sockets: [dirname(path)] } })('gate', toPath(path)).code).toBe(0);
    expect(boxesOf(root, { settings: { sockets: [path] } })('gate', toPath(path)).code).toBe(0);
  });

  it('by the network: ports of this machine and abstract sockets are open while the network is', async () => {
    const port = await listen({ port: 0, host: '127.0.0.1' });
    const name = `ralph-${process.pid}`;
    await listen({ path: `\0${name}` });
    const tries = [connects(`${port}, "127.0.0.1"`), connects(`{ path: "\\0${name}" }`)];
    const open = boxesOf(root);
    const shut = boxesOf(root, { settings: { network: 'off' } });
    for (const one of tries) {
      expect(open('gate', one).code).toBe(0);
      expect(shut('agent', one).code).toBe(1);
      expect(shut('gate', one).code).toBe(1);
    }
  });
});
