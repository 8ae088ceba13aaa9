// Loaded before ralph: takes the time from a file, so that a picture that is drawn again is the same.
import { readFileSync } from 'node:fs';

const now = () => Number(readFileSync(process.env.PICTURE_CLOCK, 'utf8'));
const begun = now();
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
performance.now = () => now() - begun;
