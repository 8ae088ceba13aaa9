/** What honest work brings along with the files that a task is about. */
export type Company = 'test' | 'documentation' | 'lock' | 'manifest' | 'other';

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

export function companyOf(path: string): Company {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCKS.test(name)) return 'lock';
  if (MANIFESTS.test(name)) return 'manifest';
  if (TEST_FOLDERS.test(path) || TEST_NAMES.test(path)) return 'test';
  return DOCUMENTS.test(path) ? 'documentation' : 'other';
}

/** The name of a file without its folder, its endings and what makes it a test: `parser` of `test/parser.test.ts`. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/^\.+/, '');
  const bare = name.replace(/\..*$/, '').replace(/^test_/, '');
  return bare.replace(/(?:[_-](?:tests?|specs?)|Tests?|Spec)$/, '').toLowerCase();
}
