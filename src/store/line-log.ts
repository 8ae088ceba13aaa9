import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { openLog } from 'ralph-kit/files/open-log';
import { lstatOrNull } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { orStoreError } from 'ralph-kit/files/store-error';
import type { LineLog } from '../domain/ports.ts';

/** The first line creates the log; its descriptor is used even if renamed. @param shown Name in messages. */
export function openLineLog(path: string, shown: string): LineLog {
  const hash = createHash('sha256');
  let fd: number | null = null;
  let lines = 0;
  return {
    append: (line) =>
      orStoreError(`${shown} cannot be written`, () => {
        fd ??= openLog(path);
        const bytes = Buffer.from(`${line}\n`);
        writeFileSync(fd, bytes);
        hash.update(bytes);
        lines += 1;
      }),
    written: () => ({ lines, sha256: hash.copy().digest('hex') }),
    close: () => {
      if (fd === null) return;
      const open = fd;
      fd = null;
      try {
        const there = lstatOrNull(path);
        const { ino, dev, size } = fstatSync(open, { bigint: true });
        if (there?.ino === ino && there.dev === dev) return;
        const bytes = Buffer.alloc(Number(size));
        const read = readSync(open, bytes, 0, bytes.length, 0);
        orStoreError(`${shown} cannot be written`, () =>
          replaceFile(path, bytes.subarray(0, read), {
            mode: 0o600,
            durability: 'none',
            folderMode: 0o777,
          }),
        );
      } finally {
        closeSync(open);
      }
    },
  };
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** A longer log is renamed to the older one; in bytes. */
const LONGEST = 1_048_576;

/** Returns the name of the log's older part. */
export function olderLogOf(path: string): string {
  return path.replace(/(\.[^.]*)?$/, '.1$1');
}

/** Appends to a log shared by processes. Two files keep the newest lines, about twice `LONGEST`. @throws StoreError */
export function addToKeptLog(path: string, line: string): void {
  orStoreError(`${path} cannot be written`, () => {
    proveFolder(dirname(path), 0o700);
    const fd = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    try {
      // One write keeps lines of several processes apart.
      writeSync(fd, `${line}\n`);
      if (fstatSync(fd).size > LONGEST) renameSync(path, olderLogOf(path));
    } finally {
      closeSync(fd);
    }
  });
}
