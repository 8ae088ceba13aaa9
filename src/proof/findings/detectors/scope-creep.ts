import { incidentalTo, kindOf } from 'ralph-ecosystems';
import { counted } from 'ralph-kit/counted';
import { nameOf } from 'ralph-kit/paths';
import { type ExpectedPaths, expectedPathsOf, isConcreteFile } from 'ralph-kit/scope/expected-paths';
import { firstFew } from 'ralph-kit/text';
import { type Attempt, workOf } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED, SCOPE } from '../numbers.ts';

/**
 * Finds changed files outside of the task's expected paths, or more than twice the files it lists. Lock files don't count, nor the manifest
 * (`package.json`) along with its lock file, nor documentation and tests unless they are all that the task expects. In the count, only
 * tests of the listed files are left out. A task without expected paths has no scope.
 */
export function scopeCreep(attempt: Attempt): Found | null {
  const expected = expectedPathsOf(attempt.task);
  if (expected === null) return null;
  const paths = workOf(attempt, attempt).map(({ path }) => path);
  const isIncidental = incidentalTo(expected.listed, paths);
  const outside = paths.filter((path) => !expected.matches(path) && !isIncidental(path));
  const { counting, allowed } = countAgainst(expected, paths, isIncidental);
  const tooMany = counting.length > allowed;
  if (outside.length === 0 && !tooMany) return null;
  const reasons = [
    ...(outside.length === 0
      ? []
      : [`${counted(outside.length, 'file')} outside of its paths: ${firstFew(outside, PATHS_NAMED)}`]),
    ...(tooMany ? [`${counted(counting.length, 'file')}, more than twice those it lists`] : []),
  ];
  return {
    severity: 'medium',
    summary: `The attempt went beyond its task: it changed ${reasons.join('; and ')}.`,
    details: {
      outside: outside.slice(0, NAMED),
      outside_count: outside.length,
      files: counting.slice(0, NAMED),
      expected: expected.listed.slice(0, NAMED),
      changed: paths.length,
    },
  };
}

/** `allowed` is infinite if the task lists patterns, folders or too few files. */
function countAgainst(
  { listed }: ExpectedPaths,
  changed: readonly string[],
  isIncidental: (path: string) => boolean,
): { readonly counting: readonly string[]; readonly allowed: number } {
  const stems = new Set(listed.map(stemOf));
  const counting = changed.filter(
    (path) => !isIncidental(path) || (kindOf(path) === 'test' && !stems.has(stemOf(path))),
  );
  const countable = listed.length >= SCOPE.leastListed && listed.every(isConcreteFile);
  return { counting, allowed: countable ? listed.length * SCOPE.timesListed : Number.POSITIVE_INFINITY };
}

/** Returns a file's name without folder, extensions and affixes of tests: `parser` of `test/parser.test.ts`. */
function stemOf(path: string): string {
  const name = nameOf(path).replace(/^\.+/, '');
  const bare = name.replace(/\..*$/, '').replace(/^test_/, '');
  return bare.replace(/(?:[_-](?:tests?|specs?)|Tests?|Spec)$/, '').toLowerCase();
}

const PATHS_NAMED = 5;
