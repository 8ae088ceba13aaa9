import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { temporaryFolder } from './repository.ts';

/**
 * Code that every node program of a test runs first: its wall clock is set by a file. Monotonic clocks and timers
 * aren't changed.
 */
const PRELOADED = `import { readFileSync } from 'node:fs';
const Real = Date;
const now = () => {
  const { began, rate, ahead } = JSON.parse(readFileSync(process.env.TEST_CLOCK_FILE, 'utf8'));
  return Math.round(began + rate * (Real.now() - began) + 1000 * ahead);
};
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now = now;
};
`;

/**
 * Sets the wall clock of all programs that the test starts from now on: so many seconds ahead.
 * @param rate Seconds of the wall clock in each second: with 0.01 only the test ends a cool-down.
 */
export function movedClock(rate = 1): (secondsAhead: number) => void {
  const folder = temporaryFolder();
  const file = join(folder, 'ahead');
  const began = Date.now();
  const set = (ahead: number) => {
    // A rename, so that a program that reads the file meanwhile finds all of it.
    writeFileSync(`${file}.new`, JSON.stringify({ began, rate, ahead }));
    renameSync(`${file}.new`, file);
  };
  set(0);
  writeFileSync(join(folder, 'clock.mjs'), PRELOADED);
  vi.stubEnv('TEST_CLOCK_FILE', file);
  vi.stubEnv('NODE_OPTIONS', `--import=file://${folder}/clock.mjs`);
  return set;
}
