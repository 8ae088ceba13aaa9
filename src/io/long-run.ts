import inspector from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/**
 * Sets V8 up for a process that lives for hours and mostly waits: the heap stays near what it needs. V8 alone doubles
 * the room for new objects with every few collections until it holds 32 MiB, and lets garbage grow to four times the
 * live heap. V8 reads both flags anew at each collection, so they also count when they come later.
 *
 * @see docs/adr/0011-fewer-git-processes.md for why it isn't kept smaller still.
 */
export function prepareForLongRun(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
  closeDebugger();
}

/** One that SIGUSR1 opened before `cli/no-debugger.ts` was loaded, and you didn't ask for. */
function closeDebugger(): void {
  const asked = /--inspect/.test(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`);
  if (!asked && inspector.url() !== undefined) inspector.close();
}
