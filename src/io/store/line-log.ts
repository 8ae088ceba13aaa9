import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LineLog } from '../../domain/ports.ts';
import { replaceFile } from '../files/atomic-file.ts';
import { openLog } from '../files/open-log.ts';
import { lstatOrNull } from '../files/plain-file.ts';
import { proveFolder } from '../files/proven-folder.ts';
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

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** A log that is longer, in bytes, makes room: its lines are older ones from then on. */
const LONGEST = 1_048_576;

/** The name of the older lines of a log that stays. */
export function olderLogOf(path: string): string {
  return path.replace(/(\.[^.]*)?$/, '.1$1');
}

/**
 * Adds a line to a log that stays over many processes, several of which may add at once. It keeps the newest: about twice
 * `LONGEST`, in two files.
 *
 * @throws StoreError
 */
export function addToKeptLog(path: string, line: string): void {
  orStoreError(`${path} cannot be written`, () => {
    proveFolder(dirname(path), 0o700);
    const fd = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    try {
      // In one piece, so that lines of several processes don't mix.
      writeSync(fd, `${line}\n`);
      if (fstatSync(fd).size > LONGEST) renameSync(path, olderLogOf(path));
    } finally {
      closeSync(fd);
    }
  });
}
