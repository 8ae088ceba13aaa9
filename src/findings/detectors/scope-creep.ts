import { firstFew } from '../../lib/text.ts';
import { type Attempt, workOf } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED, SCOPE } from '../numbers.ts';
import { type ExpectedPaths, expectedPathsOf, isConcreteFile } from './expected-paths.ts';

/**
 * Files changed outside of the task's expected paths, or more than twice the files that it lists.
 *
 * What honest work brings along isn't creep: lock files, and the manifest (`package.json`) when its lock file changed
 * too; documentation and tests, unless documentation or tests are all that the task expects. Only tests of the listed
 * files themselves are left out of the count. A task without expected paths has no scope to leave.
 */
export function scopeCreep(attempt: Attempt): Found | null {
  const expected = expectedPathsOf(attempt.task);
  if (expected === null) return null;
  const paths = workOf(attempt).map(({ path }) => path);
  const isIncidental = incidentalTo(expected, paths);
  const outside = paths.filter((path) => !expected.matches(path) && !isIncidental(path));
  const { counted, allowed } = countAgainst(expected, paths, isIncidental);
  const tooMany = counted.length > allowed;
  if (outside.length === 0 && !tooMany) return null;
  const reasons = [
    ...(outside.length === 0
      ? []
      : [`${countFiles(outside.length)} outside of its paths: ${firstFew(outside, SAID)}`]),
    ...(tooMany ? [`${countFiles(counted.length)}, more than twice those it lists`] : []),
  ];
  return {
    severity: 'medium',
    summary: `The attempt went beyond its task: it changed ${reasons.join('; and ')}.`,
    details: {
      outside: outside.slice(0, NAMED),
      outside_count: outside.length,
      files: counted.slice(0, NAMED),
      expected: expected.listed.slice(0, NAMED),
      changed: paths.length,
    },
  };
}

/** Whether a changed file is one that honest work on the task brings along. */
function incidentalTo({ listed }: ExpectedPaths, changed: readonly string[]): (path: string) => boolean {
  const lockChanged = changed.some((path) => kindOf(path) === 'lock');
  const expectsOnly = (kind: PathKind) => listed.every((path) => kindOf(path) === kind);
  const tests = !expectsOnly('test');
  const documents = !expectsOnly('documentation');
  return (path) => {
    switch (kindOf(path)) {
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
  isIncidental: (path: string) => boolean,
): { readonly counted: readonly string[]; readonly allowed: number } {
  const stems = new Set(listed.map(stemOf));
  const counted = changed.filter(
    (path) => !isIncidental(path) || (kindOf(path) === 'test' && !stems.has(stemOf(path))),
  );
  const countable = listed.length >= SCOPE.leastListed && listed.every(isConcreteFile);
  return { counted, allowed: countable ? listed.length * SCOPE.timesListed : Number.POSITIVE_INFINITY };
}

/** What a path is, as far as honest work brings such files along. */
type PathKind = 'test' | 'documentation' | 'lock' | 'manifest' | 'other';

const LOCKS =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|go\.sum|flake\.lock|Package\.resolved|gradle\.lockfile|packages\.lock\.json|Podfile\.lock|pubspec\.lock)$/;
const MANIFESTS =
  /^(?:package\.json|pnpm-workspace\.yaml|deno\.jsonc?|Cargo\.toml|pyproject\.toml|requirements[\w-]*\.txt|Pipfile|Gemfile|composer\.json|mix\.exs|go\.mod|flake\.nix|Package\.swift|build\.gradle(?:\.kts)?|Podfile|pubspec\.yaml)$/;
const TEST_FOLDERS =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|fixtures?|__fixtures__|__snapshots__|__mocks__)(?:\/|$)/i;
const TEST_NAMES =
  /(?:^|\/)(?:test_[^/]+|conftest)\.\w+$|[._-](?:tests?|specs?)\.\w+$|[a-z](?:Tests?|Spec)\.\w+$|\.snap$/;
const DOCUMENTS =
  /(?:^|\/)docs?(?:\/|$)|\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:CHANGELOG|CHANGES|README|NEWS)(?:\.\w+)?$/i;

function kindOf(path: string): PathKind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCKS.test(name)) return 'lock';
  if (MANIFESTS.test(name)) return 'manifest';
  if (TEST_FOLDERS.test(path) || TEST_NAMES.test(path)) return 'test';
  return DOCUMENTS.test(path) ? 'documentation' : 'other';
}

/** The name of a file without its folder, its endings and what makes it a test: `parser` of `test/parser.test.ts`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/^\.+/, '');
  const bare = name.replace(/\..*$/, '').replace(/^test_/, '');
  return bare.replace(/(?:[_-](?:tests?|specs?)|Tests?|Spec)$/, '').toLowerCase();
}

/** Paths that a summary names. */
const SAID = 5;

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
