import { constants, openSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { proveFolder } from './proven-folder.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;

/**
 * Opens a new log, readable only by its owner, for programs to write to; ralph reads it by the same descriptor, since
 * the name may lead elsewhere by then. An existing entry is removed, never written through. O_APPEND lets several
 * programs write without overwriting each other.
 * @throws The Node error, EISDIR for a folder in its place; StoreError when one of ralph's folders isn't a folder.
 */
export function openLog(path: string): number {
  proveFolder(dirname(path));
  const open = () => openSync(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600);
  try {
    return open();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  unlinkSync(path);
  return open();
}
