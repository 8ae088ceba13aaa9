import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this machine has a Redis to test with. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

type Options = {
  /** Whether each write is on disk before it is answered, as docs/FLEET.md requires; otherwise none ever is. */
  readonly keeps?: boolean;
  /** Variables of its process in addition to this process's. */
  readonly env?: NodeJS.ProcessEnv;
};

/** Starts a Redis of its own on a free port, which evicts nothing. */
export async function startRedis({ keeps = true, env = {} }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const kept = ['--appendonly', keeps ? 'yes' : 'no', '--appendfsync', 'always'];
  const args = [...settings, ...kept, '--maxmemory-policy', 'noeviction'];
  const start = async () => {
    const child = spawn('redis-server', args, { stdio: 'ignore', env: { ...process.env, ...env } });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    while (!(await listens(port))) await sleep(20);
    return { child, ended };
  };
  let server: Awaited<ReturnType<typeof start>> | null = await start();
  const kill = async () => {
    server?.child.kill('SIGKILL');
    await server?.ended;
    server = null;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start: async () => {
      server ??= await start();
    },
    tell: (...words: readonly string[]) => spawnSync('redis-cli', ['-p', String(port), ...words]),
    /** Removes its data; it must not be running. */
    wipe: () => rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true }),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(),
      );
    });
  });
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
