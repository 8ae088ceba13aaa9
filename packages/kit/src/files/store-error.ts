import { StoreError } from '../store-error.ts';
import { accessCommand } from './access-command.ts';

const REASONS: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  ENOSPC: ['no space left on the device', 'Free some space, then run the command again.'],
  EDQUOT: ['the disk quota is used up', 'Free some space, then run the command again.'],
  EFBIG: ['the file size limit is reached', 'Raise the limit (ulimit -f), then run the command again.'],
  EROFS: ['the file system is read-only', 'Make the folder writable, then run the command again.'],
  EACCES: ['permission denied', 'Make the folder writable for you, then run the command again.'],
  EPERM: ['not permitted', 'Make the folder writable for you, then run the command again.'],
  ENOTDIR: ["a part of the path isn't a folder", 'Move what blocks the path, then run the command again.'],
  ELOOP: ['a symbolic link is in the way', 'Remove it, then run the command again.'],
  ENXIO: ['a pipe is in the way', 'Remove it, then run the command again.'],
  EISDIR: ['a folder is in the way', 'Move it away, then run the command again.'],
};

/** Something blocks a file or folder of ralph's own. The message names it. */
export class PlaceError extends StoreError {}

/** Whether the operating system caused the error; other errors are bugs and are rethrown. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error && 'syscall' in error && typeof (error as { code?: unknown }).code === 'string'
  );
}

/** Temporary names (`atomic-file.ts`) contain the name of the real file. */
const TEMPORARY = /\.([^/]+)\.ralph-\d+-[0-9a-f]+\.tmp$/;

/** Returns a system error as a message (what failed, why, what to do); other errors unchanged. */
export function storeError(what: string, error: unknown): unknown {
  if (error instanceof PlaceError) return new StoreError(`${what}: ${error.message}`);
  if (!isSystemError(error)) return error;
  const [reason, next] = REASONS[error.code] ?? [error.message, 'Run `ralph doctor` to see what is wrong.'];
  const path = error.path === undefined ? '' : ` at ${error.path.replace(TEMPORARY, '$1')}`;
  const way = error.path === undefined ? null : accessCommand(error.path, 'write');
  return new StoreError(`${what}${path}: ${reason} (${error.code}). ${next}`, { cause: error, next: way });
}

export function orStoreError<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(what, error);
  }
}
