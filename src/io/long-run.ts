import inspector from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap small in a process that lives for hours and mostly waits. V8 would double the room for new objects
 * up to 32 MiB and let garbage grow to four times the live heap. V8 rereads both flags at each collection.
 * @see docs/adr/0011-fewer-git-processes.md for why it isn't kept smaller still.
 */
export function prepareForLongRun(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
  closeDebugger();
}

/** SIGUSR1 may have opened a debugger before `cli/no-debugger.ts` was loaded. */
function closeDebugger(): void {
  const asked = /--inspect/.test(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`);
  if (!asked && inspector.url() !== undefined) inspector.close();
}
