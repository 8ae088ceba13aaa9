import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The folder of all state homes, absolute. */
export function homesFolder(): string {
  return xdgFolder('XDG_STATE_HOME', '.local/state');
}

/** ralph's folder in a base folder of the XDG specification, absolute; by that a relative variable counts as none. */
export function xdgFolder(variable: string, inHome: string): string {
  const xdg = process.env[variable] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homedir(), inHome), 'ralph');
}
