import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readProcess } from './process-table.ts';

/** Beginning of all markers of one repository: a digest, so that no path shows in an agent's environment. */
function repositoryMark(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}

/** Beginning of all markers of this ralph in one repository: `REPOSITORY.NAMESPACE.PID.START.`. */
export function ownerMark(root: string): string {
  return `${repositoryMark(root)}.${namespace()}.${process.pid}.${startOf(process.pid)}.`;
}

/**
 * Whether a marker is of that repository and the ralph that gave it is gone. A ralph in another container is not
 * judged: its number means another process here.
 */
export function isAbandoned(marker: string, root: string): boolean {
  const [repository, space, pid = '', started] = marker.split('.');
  if (repository !== repositoryMark(root) || space !== namespace()) return false;
  return /^\d+$/.test(pid) && startOf(Number(pid)) !== started;
}

/** Whether a marker is of a ralph of one of these work trees, active or gone, in whatever container. */
export function isMarkOf(marker: string, roots: readonly string[]): boolean {
  return roots.some((root) => marker.startsWith(`${repositoryMark(root)}.`));
}

/** Empty when there is no such process. */
function startOf(pid: number): string {
  const row = readProcess(pid);
  return row === null || row.zombie ? '' : Buffer.from(row.started).toString('hex');
}

/** Names the world that process numbers belong to; a word where there is only one. */
function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'only';
  } catch {
    return 'only';
  }
}
