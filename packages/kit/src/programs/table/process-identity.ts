import { readFileSync } from 'node:fs';
import { tryOr } from '../../try-or.ts';

/** `startTime` distinguishes processes with a reused id; `null` without `/proc`: only the id counts. */
export type ProcessStatus =
  | { readonly kind: 'gone' }
  | { readonly kind: 'alive'; readonly startTime: string | null };

export function processStatus(pid: number): ProcessStatus {
  try {
    // Fields "pid (name) state ppid … starttime …" are counted after the last bracket, as the name may contain any.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return { kind: 'gone' };
    return { kind: 'alive', startTime: `${bootId()}:${fields[19] ?? ''}` };
  } catch {
    return isSignallable(pid) ? { kind: 'alive', startTime: null } : { kind: 'gone' };
  }
}

let knownStart: string | null | undefined;

/** The start time never changes, so it is read once. */
export function ownStartTime(): string | null {
  if (knownStart === undefined) {
    const status = processStatus(process.pid);
    knownStart = status.kind === 'alive' ? status.startTime : null;
  }
  return knownStart;
}

/** Whether a process is still the same one. An unknown start time on one side counts as equal. */
export function isAlive(pid: number, startTime: string | null): boolean {
  const status = processStatus(pid);
  if (status.kind === 'gone') return false;
  return startTime === null || status.startTime === null || startTime === status.startTime;
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let knownBootId: string | undefined;

/** Start times count from boot, so a lock from before a restart must not match. */
function bootId(): string {
  knownBootId ??= tryOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8));
  return knownBootId;
}
