import type { Attempt } from '../attempt.ts';
import { workOf } from '../attempt.ts';
import { type Company, companyOf, stemOf } from '../company.ts';
import type { Found } from '../detector.ts';
import { type ExpectedPaths, expectedPathsOf, isConcreteFile } from '../expected-paths.ts';
import { NAMED, SCOPE } from '../numbers.ts';

/**
 * Files changed outside of the task's expected paths, or more than twice the files that it lists.
 *
 * What honest work brings along is no creep: lock files, and the manifest (`package.json`) when its lock file changed
 * too; documentation and tests, unless documentation or tests are all that the task expects. Only tests of the listed
 * files themselves are left out of the count. A task without expected paths has no scope to leave.
 */
export function scopeCreep(attempt: Attempt): Found | null {
  const expected = expectedPathsOf(attempt.task);
  if (expected === null) return null;
  const paths = workOf(attempt).map(({ path }) => path);
  const isCompany = companyOfTask(expected, paths);
  const outside = paths.filter((path) => !expected.matches(path) && !isCompany(path));
  const { counted, allowed } = countAgainst(expected, paths, isCompany);
  const tooMany = counted > allowed;
  if (outside.length === 0 && !tooMany) return null;
  const reasons = [
    ...(outside.length === 0
      ? []
      : [`${countFiles(outside.length)} outside of its paths: ${named(outside)}`]),
    ...(tooMany ? [`${countFiles(counted)}, more than twice those it lists`] : []),
  ];
  return {
    severity: 'medium',
    summary: `The attempt went beyond its task: it changed ${reasons.join('; and ')}.`,
    details: {
      outside: outside.slice(0, NAMED),
      outside_count: outside.length,
      expected: expected.listed.slice(0, NAMED),
      changed: paths.length,
    },
  };
}

/** Whether a changed file is one that honest work on the task brings along. */
function companyOfTask({ listed }: ExpectedPaths, changed: readonly string[]): (path: string) => boolean {
  const lockChanged = changed.some((path) => companyOf(path) === 'lock');
  const expectsOnly = (company: Company) => listed.every((path) => companyOf(path) === company);
  const tests = !expectsOnly('test');
  const documents = !expectsOnly('documentation');
  return (path) => {
    switch (companyOf(path)) {
      case 'lock':
        return true;
      case 'manifest':
        return lockChanged;
      case 'test':
        return tests;
      case 'documentation':
        return documents;
      default:
        return false;
    }
  };
}

/** `allowed` is without bound where the task lists patterns, folders or too few files to count by. */
function countAgainst(
  { listed }: ExpectedPaths,
  changed: readonly string[],
  isCompany: (path: string) => boolean,
): { readonly counted: number; readonly allowed: number } {
  const stems = new Set(listed.map(stemOf));
  const counted = changed.filter(
    (path) => !isCompany(path) || (companyOf(path) === 'test' && !stems.has(stemOf(path))),
  ).length;
  const countable = listed.length >= SCOPE.leastListed && listed.every(isConcreteFile);
  return { counted, allowed: countable ? listed.length * SCOPE.timesListed : Number.POSITIVE_INFINITY };
}

/** Paths that a summary names. */
const SAID = 5;

function named(paths: readonly string[]): string {
  const more = paths.length > SAID ? ` (and ${paths.length - SAID} more)` : '';
  return `${paths.slice(0, SAID).join(', ')}${more}`;
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
