import { closeSync, constants, fdatasyncSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../files/atomic-file.ts';
import { openPlainForWriting } from '../../files/plain-file.ts';
import { inProvenFolder } from '../../files/proven-folder.ts';

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/**
 * Appends to a file of `size` bytes and waits until it is on the disk. When that fails the file has its old length
 * again: nothing half-written stays.
 *
 * @throws The Node error (ENOSPC, EROFS, EACCES, EFBIG, …), StoreError where its folder isn't ralph's.
 */
export function appendDurably(path: string, bytes: Uint8Array, size: number): void {
  inProvenFolder(dirname(path), (place) => {
    appendTo(join(place, basename(path)), bytes, size);
    if (size === 0) syncFolder(place);
  });
}

function appendTo(path: string, bytes: Uint8Array, size: number): void {
  const fd = openPlainForWriting(path, FLAGS, 0o600);
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
}
