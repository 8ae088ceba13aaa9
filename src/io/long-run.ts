import inspector from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/**
 * Sets V8 up for a process that lives for hours and mostly waits. V8 alone doubles the room for new objects with every
 * few collections until it holds 32 MiB; at the start of Node the flag is `--max-semi-space-size=1`, and V8 reads the
 * growth factor anew at each collection, so it also counts when it comes later. `--optimize-for-size` would save 23 MB
 * more, and make ralph's own work between two agents 15 % longer.
 */
export function prepareForLongRun(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  closeDebugger();
}

/** One that SIGUSR1 opened before `cli/no-debugger.ts` was loaded, and you didn't ask for. */
function closeDebugger(): void {
  const asked = /--inspect/.test(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`);
  if (!asked && inspector.url() !== undefined) inspector.close();
}
