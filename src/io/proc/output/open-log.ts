import { constants, openSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;

/**
 * Opens a log for programs to write to, empty and readable by its owner alone. Appending: several programs can write
 * without overwriting each other.
 */
export function openLog(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
}
