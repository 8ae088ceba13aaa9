import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { temporaryFolder } from './repository.ts';

/** What every program of node runs first: its wall clock is set by a file. Monotonic clocks and timers run on. */
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
 * From now on a test sets the wall clock of the programs that it starts: so many seconds ahead.
 *
 * @param rate Seconds of the wall clock in each second: 0.01 leaves it to the test when a cool-down is over.
 */
export function movedClock(rate = 1): (secondsAhead: number) => void {
  const folder = temporaryFolder();
  const file = join(folder, 'ahead');
  const began = Date.now();
  const set = (ahead: number) => {
    // By a rename: a program that reads it meanwhile finds all of it.
    writeFileSync(`${file}.new`, JSON.stringify({ began, rate, ahead }));
    renameSync(`${file}.new`, file);
  };
  set(0);
  writeFileSync(join(folder, 'clock.mjs'), PRELOADED);
  vi.stubEnv('TEST_CLOCK_FILE', file);
  vi.stubEnv('NODE_OPTIONS', `--import=file://${folder}/clock.mjs`);
  return set;
}
