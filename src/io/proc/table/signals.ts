import { constants } from 'node:os';
import type { MainExit } from '../launch/running.ts';

const LAST_SIGNAL = 64;

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

/** bubblewrap ends with 128 and the number where its program was ended by a signal, as a shell does. */
export function asInBox(exit: MainExit): MainExit {
  const number = exit.kind === 'exited' ? exit.code - 128 : 0;
  return number > 0 && number <= LAST_SIGNAL ? { kind: 'signalled', signal: signalName(number) } : exit;
}
