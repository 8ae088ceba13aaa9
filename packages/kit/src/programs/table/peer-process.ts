import { readdirSync, readlinkSync } from 'node:fs';
import { tryOr } from '../../try-or.ts';
import { tryRead } from './process-table.ts';

/** Tables of the kernel with all TCP connections, of IPv4 and IPv6. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Returns the process that holds the other end of a connection on this machine; `null`: it belongs to another user, or
 * the system doesn't say.
 *
 * @param from Port of the other end.
 * @param to Port of this end.
 */
export function peerProcess(from: number, to: number): number | null {
  const socket = TABLES.map((path) => socketIn(path, from, to)).find((found) => found !== null);
  if (socket === undefined) return null;
  const name = `socket:[${socket}]`;
  const pid = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && holds(pid, name));
  return pid === undefined ? null : Number(pid);
}

function socketIn(path: string, from: number, to: number): string | null {
  const lines = tryRead(path)?.toString('latin1').split('\n').slice(1) ?? [];
  const columns = lines.map((line) => line.trim().split(/\s+/));
  const row = columns.find(([, local, remote]) => portOf(local) === from && portOf(remote) === to);
  return row?.[9] ?? null;
}

/** An address is `0100007F:1F90`. */
function portOf(address = ''): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}

function holds(pid: string, name: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return tryOr([], () => readdirSync(folder)).some(
    (fd) => tryOr('', () => readlinkSync(`${folder}/${fd}`)) === name,
  );
}
