import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The bytes of a file that the user or an agent may have put there. Links are followed.
 *
 * @throws The Node error; for a pipe, a device or a socket, which might never end, one with the code `ENOTFILE`.
 */
export function readFileBytes(path: string): Buffer {
  // Without waiting: opening a pipe that nothing writes to would never return.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() && !stat.isDirectory()) {
      throw Object.assign(new Error(`ENOTFILE: no plain file, read '${path}'`), {
        code: 'ENOTFILE',
        syscall: 'read',
        path,
      });
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
