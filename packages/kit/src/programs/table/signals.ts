import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

/**
 * A program's end as the kernel reports it. Codes over 128 stay codes: shells and bubblewrap use them after a signal,
 * other programs for other reasons (gemini: the last eight bits of an HTTP status).
 */
export type MainExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string };

/** Returns `SIGKILL` for 9, and `SIG64` for a number without a name. */
export function signalName(number: number): string {
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return named?.[0] ?? `SIG${number}`;
}

/** Signals a process, or a group by its negative number; a missing or foreign process isn't an error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Time for a group to end cleanly (git removes its lock files) when ralph ends at once; in milliseconds. */
const LAST_MS = 100;

const groups = new Set<number>();

/** Ends a detached program and its group when ralph ends first, as at the second Ctrl-C. */
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
