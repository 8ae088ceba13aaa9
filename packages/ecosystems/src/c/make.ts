import type { Reading, Runner } from '../protocol.ts';

/**
 * Reads `make: 'test' is up to date.` of GNU Make: a file or folder has the target's name, and the target isn't phony,
 * so its commands weren't run. What the commands of other targets print is for other runners.
 */
export const make: Runner = { name: 'make', read };

const UP_TO_DATE = /^g?make(?:\[\d+\])?: '(?:unit-?)?(?:tests?|check|specs?)' is up to date\.$/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const printed = lines.filter((line) => line.trim() !== '');
  const isAlone = whole && printed.length > 0 && printed.every((line) => UP_TO_DATE.test(line));
  return isAlone ? { tests: null, failing: [], none: true } : null;
}
