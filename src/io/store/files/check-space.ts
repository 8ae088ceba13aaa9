import { statfsSync } from 'node:fs';
import { StoreError } from '../../../domain/ports.ts';
import { isSystemError } from '../store-error.ts';

/** What an attempt may need for its records, snapshot and views, with much to spare; in bytes. */
const NEEDED_BYTES = 16 * 1024 * 1024;
/** Files that an attempt makes, with much to spare. Some file systems count none and say 0. */
const NEEDED_FILES = 100;

/**
 * Refuses to continue where there is hardly any space, before an agent does work that could then not be recorded.
 *
 * @param folders Where ralph writes. One that cannot be asked passes: the first write tells what is wrong with it.
 * @throws StoreError
 */
export function checkSpace(folders: readonly string[]): void {
  for (const folder of folders) {
    const space = spaceAt(folder);
    if (space === null) continue;
    if (space.bytes < NEEDED_BYTES) {
      throw new StoreError(
        `Only ${megabytes(space.bytes)} are free at ${folder}, and ralph wants ${megabytes(NEEDED_BYTES)} before an agent starts. Free some space, then run the command again.`,
      );
    }
    if (space.files !== null && space.files < NEEDED_FILES) {
      throw new StoreError(
        `The file system at ${folder} has room for ${space.files} more files only. Remove some files, then run the command again.`,
      );
    }
  }
}

function spaceAt(folder: string): { bytes: number; files: number | null } | null {
  try {
    const { blocks, bavail, bsize, files, ffree } = statfsSync(folder);
    // Some network file systems tell nothing.
    if (blocks === 0) return null;
    return { bytes: bavail * bsize, files: files > 0 ? ffree : null };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return null;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
