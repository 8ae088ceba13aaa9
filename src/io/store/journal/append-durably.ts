import { closeSync, constants, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../files/atomic-file.ts';

const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Appends to a file of `size` bytes and waits until it is on the disk. When that fails the file has its old length
 * again: nothing half-written stays.
 *
 * @throws The Node error (ENOSPC, EROFS, EACCES, EFBIG, …).
 */
export function appendDurably(path: string, bytes: Uint8Array, size: number): void {
  // Never through a link, and never waiting for the other end of a pipe that came into its place.
  const fd = openSync(path, FLAGS, 0o644);
  try {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(fd, bytes, written);
      }
      if (size === 0) fsyncSync(fd);
      else fdatasyncSync(fd);
    } catch (error) {
      ftruncateSync(fd, size);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
  if (size === 0) syncFolder(dirname(path));
}
