import { fchmodSync } from 'node:fs';

/** Removes other users' rights from an open file that should be private according to `wanted`. */
export function keepPrivate(fd: number, now: number, wanted: number): void {
  if ((wanted & 0o077) === 0 && (now & 0o077) !== 0) fchmodSync(fd, now & 0o700);
}
