import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this machine has a Redis to test with. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of its own on a free port, as docs/FLEET.md wants one: each write is on the disk, nothing is evicted. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  const start = async () => {
    const child = spawn('redis-server', [...settings, ...kept], { stdio: 'ignore' });
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
    kill,
    start: async () => {
      server ??= await start();
    },
    /** What it kept is gone; it must not run. */
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
