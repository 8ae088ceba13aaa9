import { chmodSync, closeSync, constants, copyFileSync, fstatSync, readSync, rmSync } from 'node:fs';
import { openPlainFile, readPlainFile } from '../../store/files/plain-file.ts';
import { isSystemError } from '../../store/store-error.ts';

/** Bytes that are read at a time. */
const PART = 1024 * 1024;
const COPY = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/**
 * Copies a plain file of any length to a new one, which takes no space on some file systems until one of the two changes.
 * False where it can't be: a full disk, for instance.
 */
export function isCopied(from: string, to: string, mode: number): boolean {
  return isDone(() => {
    try {
      // By its descriptor: a pipe may stand there by now.
      withPlainFile(from, (fd) =>
        copyFileSync(process.platform === 'linux' ? `/proc/self/fd/${fd}` : from, to, COPY),
      );
      chmodSync(to, mode);
    } catch (error) {
      rmSync(to, { force: true });
      throw error;
    }
    return true;
  });
}

/** The content of a plain file of up to so many bytes; `null` for all else, and for what can't be read. */
export function contentOf(path: string, maxBytes: number): Buffer | null {
  try {
    const found = readPlainFile(path, maxBytes);
    return found.kind === 'file' ? found.bytes : null;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return null;
  }
}

/** False also for what isn't a plain file. */
export function haveSameContent(one: string, other: string): boolean {
  return isDone(() =>
    withPlainFile(one, (first) =>
      withPlainFile(other, (second) => {
        const [left, right] = [fstatSync(first), fstatSync(second)];
        if (left.ino === right.ino && left.dev === right.dev) return true;
        if (left.size !== right.size) return false;
        const parts = partsOf(second, Buffer.alloc(PART));
        for (const part of partsOf(first)) if (parts.next().value?.equals(part) !== true) return false;
        return true;
      }),
    ),
  );
}

function* partsOf(fd: number, buffer = Buffer.alloc(PART)): Generator<Buffer, undefined> {
  for (let read = -1; read !== 0; ) {
    read = readSync(fd, buffer);
    if (read > 0) yield buffer.subarray(0, read);
  }
}

function withPlainFile<T>(path: string, work: (fd: number) => T): T {
  const fd = openPlainFile(path);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whether the system let it be done, too. */
function isDone(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}
