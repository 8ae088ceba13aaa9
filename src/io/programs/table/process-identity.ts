import { readFileSync } from 'node:fs';
import { tryOr } from '../../../lib/try-or.ts';

/**
 * What is known of a process id now. `startTime` tells a process from a later one with the same id; it is `null`
 * where the system does not say (no `/proc`), and then the id alone must do.
 */
export type ProcessStatus =
  | { readonly kind: 'gone' }
  | { readonly kind: 'alive'; readonly startTime: string | null };

export function processStatus(pid: number): ProcessStatus {
  try {
    // "pid (name) state ppid … starttime …": the name may hold spaces and brackets, so count from the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return { kind: 'gone' };
    return { kind: 'alive', startTime: `${bootId()}:${fields[19] ?? ''}` };
  } catch {
    return isSignallable(pid) ? { kind: 'alive', startTime: null } : { kind: 'gone' };
  }
}

let knownStart: string | null | undefined;

/** When this process started; read once, as it never changes. */
export function ownStartTime(): string | null {
  if (knownStart === undefined) {
    const status = processStatus(process.pid);
    knownStart = status.kind === 'alive' ? status.startTime : null;
  }
  return knownStart;
}

/** Whether a process is still the one that it was. A start time that isn't known on one side is held for equal. */
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
    // EPERM: it exists and is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let knownBootId: string | undefined;

/** Start times count from the boot, so a lock of before a restart must not match. */
function bootId(): string {
  knownBootId ??= tryOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8));
  return knownBootId;
}
