import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { descendants, type ProcessRow, readProcessTable } from './process-table.ts';

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

/** When Ctrl-Z stopped ralph, as by `performance.now`; `null`: it runs, or hasn't noticed yet that it continues. */
let stoppedAt: number | null = null;
let stoppedMs = 0;

/** Returns the milliseconds since ralph's start, without those that it was stopped by Ctrl-Z. */
export function runningMs(): number {
  return (stoppedAt ?? performance.now()) - stoppedMs;
}

/**
 * Has Ctrl-Z stop everything below ralph with it, and `fg` continue both: agents have sessions of their own, which the
 * terminal doesn't reach.
 * @returns A function that leaves the signals to the system again.
 */
export function stopTogether(): () => void {
  let stopped: readonly number[] = [];
  const stop = () => {
    // As the system does: nothing could continue ralph.
    if (isOrphaned(readProcessTable())) return;
    stoppedAt ??= performance.now();
    stopped = [...stopped, ...stopBelow(process.pid)];
    sendSignal(process.pid, 'SIGSTOP');
  };
  const proceed = () => {
    if (stoppedAt !== null) stoppedMs += performance.now() - stoppedAt;
    stoppedAt = null;
    for (const pid of stopped) sendSignal(pid, 'SIGCONT');
    stopped = [];
  };
  process.on('SIGTSTP', stop);
  process.on('SIGCONT', proceed);
  return () => {
    process.off('SIGTSTP', stop);
    process.off('SIGCONT', proceed);
    proceed();
  };
}

/** A process may start others until it is stopped itself; those of another user can't be stopped. */
const ROUNDS = 10;

function stopBelow(root: number): readonly number[] {
  const stopped = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = descendants(readProcessTable(), root).filter(({ pid }) => !stopped.has(pid));
    if (found.length === 0) break;
    for (const { pid } of found) {
      sendSignal(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  }
  return [...stopped];
}

/** Returns whether no process outside of ralph's process group, but in its session, has a child in the group. */
function isOrphaned(rows: readonly ProcessRow[]): boolean {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const own = byPid.get(process.pid);
  return !rows.some(({ group, parent }) => {
    const above = byPid.get(parent);
    return (
      group === own?.group && above !== undefined && above.group !== group && above.session === own.session
    );
  });
}
