import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { peerProcess } from 'ralph-kit/programs/table/peer-process';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')('names the process at the other end of a connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, [
    '-e',
    `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000);`,
  ]);
  const [socket] = (await once(server, 'connection')) as [Socket];
  expect(peerProcess(socket.remotePort ?? 0, port)).toBe(child.pid);
  expect(peerProcess(1, port)).toBeNull();
  child.kill();
  await once(child, 'close');
  socket.destroy();
  server.close();
});
