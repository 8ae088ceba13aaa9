import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export function homesFolder(): string {
  return xdgFolder('XDG_STATE_HOME', '.local/state');
}

/** Returns ralph's absolute folder in an XDG base folder; the specification ignores relative variables. */
export function xdgFolder(variable: string, inHome: string): string {
  const xdg = process.env[variable] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homedir(), inHome), 'ralph');
}
