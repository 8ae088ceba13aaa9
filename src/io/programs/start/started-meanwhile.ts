import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Where Node tells of each program that it starts. */
const CHANNEL = 'child_process';

/**
 * Ends programs that a library starts from now on and doesn't hand out: of those that are meant, what runs after so many milliseconds is
 * killed, and nothing that it started holds ralph by its output.
 *
 * @returns `isOver` ends this, and says whether the time was over before.
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
