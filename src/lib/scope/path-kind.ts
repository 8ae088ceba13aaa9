import { nameOf } from '../paths.ts';
import type { ExpectedPaths } from './expected-paths.ts';

/**
 * Whether a changed file is one that honest work on the task brings along: lock files, and the manifest when its lock file
 * changed too; documentation and tests, unless they are all that the task expects.
 */
export function incidentalTo(
  { listed }: Pick<ExpectedPaths, 'listed'>,
  changed: readonly string[],
): (path: string) => boolean {
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

export function kindOf(path: string): PathKind {
  const name = nameOf(path);
  if (LOCKS.test(name)) return 'lock';
  if (MANIFESTS.test(name)) return 'manifest';
  if (TEST_FOLDERS.test(path) || TEST_NAMES.test(path)) return 'test';
  return DOCUMENTS.test(path) ? 'documentation' : 'other';
}
