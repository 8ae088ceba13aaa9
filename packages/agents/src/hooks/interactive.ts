import type { SocketHook } from '../hook.ts';

/** How an agent asks ralph when you use it yourself, outside of a run. */
export type Interactive = {
  /** Absent: the hook that the agent has in a run. */
  readonly hook?: SocketHook;
  readonly file: string;
  /** Returns the text to put into the settings file. */
  readonly settings: (command: string) => string;
};

/** Seconds that an agent waits; a review takes a fraction of one, and agents may ignore a later answer. */
export const PATIENCE_SECONDS = 20;

/** Returns a command line that exits with 2 on every failure: other codes allow the action. */
export const failClosed = (command: string) => `${command} || exit 2`;

/** Returns JSON settings with one hook for all tools. @param unit The unit of a timeout in the agent's settings. */
export function jsonSettings(
  event: string,
  matcher: string,
  unit: 'seconds' | 'milliseconds',
): Interactive['settings'] {
  const timeout = unit === 'seconds' ? PATIENCE_SECONDS : PATIENCE_SECONDS * 1000;
  return (command) => {
    const hooks = [{ type: 'command', command: failClosed(command), timeout }];
    return JSON.stringify({ hooks: { [event]: [{ matcher, hooks }] } }, null, 2);
  };
}
