import type { Reading, Runner } from '../protocol.ts';
import { counts, sumOf } from '../reading.ts';

/**
 * Reads rebar3: `Finished in 0.071 seconds`, then `4 tests, 1 failures` (`0 tests` for none), and `  1) module:name/0`;
 * with `-v` also eunit: `  Failed: 1.  Skipped: 0.  Passed: 3.` and `module: name...*failed*`.
 */
export const eunit: Runner = {
  name: 'eunit',
  isDistinct: true,
  read,
  starts: /(?:^|[\s;&|('"])rebar3\s+(?:\S+\s+do\s+|do\s+)?eunit\b/m,
};

const FINISHED = /^Finished in [\d.]+ seconds$/;
const SUM = /^(\d+) tests(?:, (\d+) failures)?(?:, (\d+) (?:skips|skipped))?(?:, (\d+) cancelled)?$/;
const OWN = /^ {2}Failed: (\d+)\. {2}Skipped: (\d+)\. {2}Passed: (\d+)\.$/;
const ALL = /^ {2}(?:All (\d+) tests|Test) passed\.$/;
const NONE = /^ {2}There were no tests to run\.$/;

function read(lines: readonly string[]): Reading | null {
  const isOwn = lines.some((line) => /^=+ EUnit =+$/.test(line));
  const at = lines.flatMap((line, index) => {
    const isSum = SUM.test(line) && FINISHED.test(lines[index - 1] ?? '');
    return isSum || (isOwn && (OWN.test(line) || ALL.test(line) || NONE.test(line))) ? [index] : [];
  });
  const notLoaded = lines.flatMap((line) => /^===> Compiling (test\/\S+\.erl) failed$/.exec(line)?.[1] ?? []);
  if (at.length === 0 && notLoaded.length === 0) return null;
  const tests = sumOf(at.map((index) => summary(lines[index] ?? '')));
  return {
    tests,
    ...failures(lines),
    passing: lines.flatMap((line) => {
      const [, module, name] = /^ +(\w+): (\w+)(?: \(.*\))?\.\.\.(?:\[[\d.]+ s\] )?ok$/.exec(line) ?? [];
      return name === undefined ? [] : [`${module}:${name}`];
    }),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at,
  };
}

function summary(line: string) {
  const own = OWN.exec(line)?.slice(1).map(Number);
  if (own !== undefined) return counts(own[2] ?? 0, own[0] ?? 0, own[1] ?? 0);
  const all = ALL.exec(line);
  if (all !== null) return counts(Number(all[1] ?? 1), 0, 0);
  const [run = 0, failed = 0, skipped = 0, cancelled = 0] = (SUM.exec(line) ?? [])
    .slice(1)
    .map((one) => Number(one ?? 0));
  return counts(run - failed - skipped - cancelled, failed + cancelled, skipped);
}

/** `  1) module:name/0` has no line number; `module: name...*failed*` has it below. */
function failures(lines: readonly string[]): Required<Pick<Reading, 'failing' | 'places'>> {
  const found = lines.flatMap((line, index) => {
    const listed = /^ {2}\d+\) (\w+:\w+)\/\d+$/.exec(line)?.[1];
    const [, module, name] = /^ +(\w+): (\w+)(?: \(.*\))?\.\.\.\*failed\*$/.exec(line) ?? [];
    const test = listed ?? (name === undefined ? undefined : `${module}:${name}`);
    if (test === undefined) return [];
    const [, file, at] = /^in function .* \((\S+), line (\d+)\)$/.exec(lines[index + 1] ?? '') ?? [];
    return [{ test, place: file === undefined ? undefined : `${file}:${at}` }];
  });
  return {
    failing: [...new Set(found.map(({ test }) => test))],
    places: found.flatMap(({ test, place }) => (place === undefined ? [] : [{ test, place }])),
  };
}
