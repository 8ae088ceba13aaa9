import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { temporaryFolder } from './repository.ts';

/** What every program of node runs first: its wall clock is ahead by the seconds in a file. Monotonic clocks and timers run on. */
const PRELOADED = `import { readFileSync } from 'node:fs';
const Real = Date;
const now = () => Real.now() + 1000 * Number(readFileSync(process.env.TEST_CLOCK_FILE, 'utf8'));
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now = now;
};
`;

/** From now on a test sets the wall clock of the programs that it starts: so many seconds ahead. */
export function movedClock(): (secondsAhead: number) => void {
  const folder = temporaryFolder();
  const file = join(folder, 'ahead');
  const set = (seconds: number) => writeFileSync(file, String(seconds));
  set(0);
  writeFileSync(join(folder, 'clock.mjs'), PRELOADED);
  vi.stubEnv('TEST_CLOCK_FILE', file);
  vi.stubEnv('NODE_OPTIONS', `--import=file://${folder}/clock.mjs`);
  return set;
}
