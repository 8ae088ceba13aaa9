import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Node publishes each started program on this channel. */
const CHANNEL = 'child_process';

/**
 * Kills matching programs that a library starts from now on and still run after the time limit, and closes their
 * output.
 * @returns `isOver` stops watching and returns whether the limit was reached.
 */
export function endAt(
  milliseconds: number,
  isMeant: (child: ChildProcess) => boolean,
): { readonly isOver: () => boolean } {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
  subscribe(CHANNEL, note);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    for (const child of started.filter(isMeant)) {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }, milliseconds);
  return {
    isOver: () => {
      clearTimeout(timer);
      unsubscribe(CHANNEL, note);
      return late;
    },
  };
}
