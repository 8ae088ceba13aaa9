import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../repository.ts';

const LIBRARIES = '/usr/lib';
const NAME = 'faketime/libfaketimeMT.so.1';

/** Path of Debian's libfaketime, which sets the clock of single programs; `null`: it isn't installed. */
const LIBRARY =
  process.platform === 'linux'
    ? (readdirSync(LIBRARIES)
        .map((name) => join(LIBRARIES, name, NAME))
        .find((path) => existsSync(path)) ?? null)
    : null;

export const CLOCKS_JUMP = LIBRARY !== null;

/**
 * Returns variables for programs whose wall clock `set` changes later, within a second. Their monotonic clocks aren't
 * changed.
 */
export function wallClock(): { readonly env: NodeJS.ProcessEnv; readonly set: (seconds: number) => void } {
  const file = join(temporaryFolder(), 'clock');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(0);
  if (LIBRARY === null) return { env: {}, set };
  const env = {
    ...{ LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' },
    // Times of files remain those of the file system.
    ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
  };
  return { env, set };
}
