import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The folder of all state homes, absolute. By its specification a relative `XDG_STATE_HOME` counts as none. */
export function homesFolder(): string {
  const xdg = process.env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'ralph');
}
