import { fchmodSync } from 'node:fs';

/** Takes the rights of others away from an open file that is for its owner alone by `wanted`, and isn't any more. */
export function keepPrivate(fd: number, now: number, wanted: number): void {
  if ((wanted & 0o077) === 0 && (now & 0o077) !== 0) fchmodSync(fd, now & 0o700);
}
