import type { ChildProcess } from 'node:child_process';
import { sendSignal } from './proc/table/signals.ts';

/** What a group gets to end in order (git removes its lock files) when ralph ends at once; in milliseconds. */
const LAST_MS = 100;

const groups = new Set<number>();

/**
 * A program that was started with `detached`, and all in its group, ends with ralph when ralph ends before it, as it
 * does at the second Ctrl-C.
 */
export function endWithRalph(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (groups.size === 0) process.once('exit', endGroups);
  groups.add(pid);
  child.once('exit', () => {
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', endGroups);
  });
}

function endGroups(): void {
  for (const pid of groups) sendSignal(-pid, 'SIGTERM');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_MS);
  for (const pid of groups) sendSignal(-pid, 'SIGKILL');
}
