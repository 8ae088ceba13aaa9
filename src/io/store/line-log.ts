import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import type { LineLog } from '../../domain/ports.ts';
import { replaceFile } from '../files/atomic-file.ts';
import { openLog } from '../files/open-log.ts';
import { lstatOrNull } from '../files/plain-file.ts';
import { orStoreError } from '../files/store-error.ts';

/**
 * A log that is written line by line. It is made with its first line, and written and read by its descriptor: what
 * became of its name meanwhile doesn't matter.
 *
 * @param shown Its name in messages.
 */
export function openLineLog(path: string, shown: string): LineLog {
  const hash = createHash('sha256');
  let fd: number | null = null;
  let lines = 0;
  return {
    append: (line) =>
      orStoreError(`${shown} cannot be written`, () => {
        fd ??= openLog(path);
        const bytes = Buffer.from(`${line}\n`);
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
        hash.update(bytes);
        lines += 1;
      }),
    written: () => ({ lines, sha256: hash.copy().digest('hex') }),
    close: () => {
      if (fd === null) return;
      const open = fd;
      fd = null;
      try {
        if (!isAt(path, open)) {
          orStoreError(`${shown} cannot be written`, () =>
            replaceFile(path, contentOf(open), { mode: 0o600, durability: 'none', folderMode: 0o777 }),
          );
        }
      } finally {
        closeSync(open);
      }
    },
  };
}

/** Whether a path names an open file. */
function isAt(path: string, fd: number): boolean {
  const there = lstatOrNull(path);
  const open = fstatSync(fd, { bigint: true });
  return there !== null && there.ino === open.ino && there.dev === open.dev;
}

function contentOf(fd: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  let at = 0;
  while (at < bytes.length) {
    const count = readSync(fd, bytes, at, bytes.length - at, at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}
