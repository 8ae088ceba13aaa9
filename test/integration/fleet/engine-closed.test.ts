import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDoor } from '../../helpers/crash/door.ts';
import { finishedOf } from '../../helpers/finished.ts';
import { HAS_POSTGRES, startPostgres } from '../../helpers/postgres.ts';
import { HAS_REDIS, startRedis } from '../../helpers/redis.ts';

/** Opens an engine, and closes it at the end of its input: a promise that fails unseen ends the process with 1. */
const PROGRAM = `
import { openEngine } from 'ralph-fleet';
const engine = await openEngine({ url: process.argv[1], repository: 'r', leaseMs: 3000 });
console.log('open');
process.stdin.resume().once('end', () => engine.close());
`;

/** A way to a Redis that never answers the second time that the engine asks for news. `cut` ends its connections. */
async function wayTo(port: number) {
  const sockets = new Set<Socket>();
  let asked = 0;
  let seen: () => void = () => undefined;
  const askedAgain = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const server = createServer((from) => {
    const on = connect(port, '127.0.0.1');
    for (const socket of [from, on]) sockets.add(socket.on('error', () => undefined));
    from.on('close', () => on.destroy());
    on.on('close', () => from.destroy()).pipe(from);
    from.on('data', (bytes) => {
      const isAsking = bytes.includes('subscribe');
      if (isAsking) asked += 1;
      if (isAsking && asked > 1) seen();
      else on.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, askedAgain, cut };
}

it.skipIf(!HAS_REDIS)(
  'an engine that is closed when its Redis has just come back ends without an error',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const way = await wayTo(redis.port);
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, way.url], {
      cwd: import.meta.dirname,
    });
    onTestFinished(() => {
      child.kill();
    });
    const ended = finishedOf(child);
    await once(child.stdout, 'data');
    way.cut();
    await way.askedAgain;
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, stdout: 'open\n', stderr: '' });
  },
);

const SERVERS = [
  ['Redis', HAS_REDIS, startRedis],
  ['Postgres', HAS_POSTGRES, startPostgres],
] as const;

describe.each(SERVERS)('an engine whose %s is silent when it is closed', (_name, isHere, start) => {
  it.skipIf(!isHere)('lets the program end', async () => {
    const server = await start();
    const door = await openDoor(server.port);
    onTestFinished(async () => {
      door.close();
      await server.stop();
    });
    const url = server.url.replace(String(server.port), String(door.port));
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, url], {
      cwd: import.meta.dirname,
    });
    onTestFinished(() => {
      child.kill();
    });
    const ended = finishedOf(child);
    await once(child.stdout, 'data');
    door.set('silent');
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, stdout: 'open\n', stderr: '' });
  });
});
