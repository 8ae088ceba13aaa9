import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

/**
 * How the kernel says that a program ended. A code over 128 is a code: shells and bubblewrap end so after a signal, other
 * programs for reasons of their own (gemini with the last eight bits of a HTTP status).
 */
export type MainExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string };

/** `SIGKILL` for 9, and so on; `SIG64` and the like for those without a name. */
export function signalName(number: number): string {
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return named?.[0] ?? `SIG${number}`;
}

/** Sends a signal to one process, or to a group by its number with a minus; one that is gone or another user's isn't an error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

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
