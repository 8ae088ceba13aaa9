import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, namesIn, numbersBefore, startedAs, sumOf } from '../reading.ts';
import { rustCanary } from './canary.ts';

/** Reads `test result: FAILED. 3 passed; 1 failed; 1 ignored; …` of each binary, and `test a::b ... FAILED`. */
export const cargo: Runner = {
  canary: rustCanary,
  name: 'cargo',
  read,
  starts: startedAs(String.raw`cargo(?:\s+\+\S+)?(?:\s+-\S+)*\s+(?:test|t)`),
};

const SUM = /^test result: \w+\. (\d+ passed; .*)$/;
/** Matches tests and test builds that couldn't be compiled: the crate, and the test. */
const NOT_COMPILED =
  /^error: could not compile `(\S+)` \((?:(?:test|bench|example) "(\S+)"|.* test)\) due to /;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, SUM);
  const notLoaded = lines.flatMap((line) => {
    const [, crate, target] = NOT_COMPILED.exec(line) ?? [];
    return target ?? crate ?? [];
  });
  if (at.length === 0 && notLoaded.length === 0) return null;
  const tests = sumOf(
    at.map((index) => {
      const { passed = 0, failed = 0, ignored = 0 } = numbersBefore(SUM.exec(lines[index] ?? '')?.[1] ?? '');
      return counts(passed, failed, ignored);
    }),
  );
  const named = namesIn(lines, /^test (\S.*?) \.\.\. FAILED$/);
  // `--quiet` names failing tests only above their output.
  const failing = named.length > 0 ? named : namesIn(lines, /^---- (.+) stdout ----$/);
  return {
    tests,
    failing,
    passing: namesIn(lines, /^test (\S.*?) \.\.\. ok$/),
    places: placesOf(lines, failing),
    ...(notLoaded.length === 0 ? {} : { notLoaded: [...new Set(notLoaded)] }),
    at,
  };
}

/** `thread 'tests::breaks' (2378) panicked at src/lib.rs:27:9:`; before Rust 1.73 the place follows the message. */
function placesOf(lines: readonly string[], failing: readonly string[]): NonNullable<Reading['places']> {
  const found = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const test = /^thread '(.+?)' (?:\(\d+\) )?panicked at /.exec(line)?.[1];
    if (test === undefined || found.has(test)) continue;
    const behind = lines
      .slice(index, index + MESSAGE)
      .flatMap((one) => /', (\S+:\d+):\d+$/.exec(one)?.[1] ?? [])[0];
    const place = / panicked at (\S+:\d+):\d+:$/.exec(line)?.[1] ?? behind;
    if (place !== undefined) found.set(test, place);
  }
  return failing.flatMap((test) => {
    const place = found.get(test);
    return place === undefined ? [] : [{ test, place }];
  });
}

/** Number of lines of a message that are searched for a place. */
const MESSAGE = 6;
