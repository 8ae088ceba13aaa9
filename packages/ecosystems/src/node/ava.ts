import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, placesBelow, startedAs } from '../reading.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/**
 * Reads `  ✔ name`, `  ✘ [fail]: name`, `  - [skip] name`, `  1 test failed`; a failed run has no count of passed ones.
 */
export const ava: Runner = {
  canary: {
    rank: byFolder,
    text: recordedText({
      module: /^ava$/,
      register: ({ imported, local }) => (/^(?:default|test)$/.test(imported) ? local : null),
      global: null,
      argument: 't',
      asserts: 't',
      end: '',
    }),
  },
  name: 'ava',
  read,
  starts: startedAs('ava'),
};

const COUNT = /^ {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|(?:uncaught|unhandled) .*)$/;
const FAIL = /^ {2}✘ \[fail\]: (.+?)(?: \([\d.]+m?s\))?$/;

function read(lines: readonly string[], whole: boolean): Reading | null {
  const without = lines.flatMap((line) => /^ {2}✘ No tests found in (\S+?)(?:,|$)/.exec(line)?.[1] ?? []);
  if (lines.some((line) => /^ {2}✘ Couldn’t find any files to test/.test(line)))
    return { tests: null, failing: [], none: true };
  const at = linesWith(lines, COUNT);
  if (at.length === 0 && without.length === 0) return null;
  const passing = lines.flatMap((line) => /^ {2}✔ (.+?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1] ?? []);
  const skipped = linesWith(lines, /^ {2}- \[(?:skip|todo)\] /).length;
  const thrown = lines.flatMap(
    (line) => /^ {2}(?:Uncaught exception|Unhandled rejection) in (\S+)$/.exec(line)?.[1] ?? [],
  );
  const notLoaded = [...new Set([...without, ...thrown])];
  const failed = lines.flatMap((line) => FAIL.exec(line)?.[1] ?? []).map((title) => failureOf(lines, title));
  const failing = [...new Set(failed.map(({ test }) => test))];
  return {
    tests: whole ? counts(passing.length, failing.length, skipped) : null,
    failing,
    passing,
    places: failed.flatMap((one) => placesBelow(lines, [one])),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at,
  };
}

/** Below the rule, each failure stands under its bare name; above, a message may follow the name. */
function failureOf(
  lines: readonly string[],
  title: string,
): { readonly index: number; readonly test: string } {
  const index = lines.findIndex(
    (line) => /^ {2}\S/.test(line) && `${title} `.startsWith(`${line.slice(2)} `),
  );
  return { index, test: index < 0 ? title : (lines[index] ?? '').slice(2) };
}
