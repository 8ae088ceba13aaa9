import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inProvenFolder } from '../files/proven-folder.ts';
import { orStoreError } from '../files/store-error.ts';

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
  orStoreError(`${path} cannot be written`, () =>
    inProvenFolder(
      dirname(path),
      (place) => {
        const log = join(place, basename(path));
        const fd = openSync(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
        try {
          // In one piece, so that lines of several processes don't mix.
          writeSync(fd, `${line}\n`);
          if (fstatSync(fd).size > LONGEST) renameSync(log, olderLogOf(log));
        } finally {
          closeSync(fd);
        }
      },
      0o700,
    ),
  );
}
