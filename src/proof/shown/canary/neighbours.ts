import { HELPER, RUNNERS, roleOf } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';

/** Folders of code that tests use as data or as a stand-in. */
const NOT_RUN =
  /(?:^|\/)(?:(?:__)?fixtures?(?:__)?|__mocks__|__snapshots__|mocks|stubs|testdata|test-data|vendor|node_modules|third_party)\//;
/** Folders and names of tests that a gate of unit tests seldom runs. */
const ELSEWHERE =
  /(?:^|\/)(?:e2e|cypress|playwright|bench(?:marks?)?|examples?|integration)\/|\.(?:e2e|cy|bench)\./;

/**
 * Returns the test files next to which a canary can be placed, best first, without helpers, fixtures and set-up.
 * @param paths All tracked paths, relative to the root.
 * @param preferred Tests that changed, or are near changed files, best first.
 */
export function neighbours(runner: string, paths: readonly string[], preferred: readonly string[]): string[] {
  const all = new Set(paths);
  const writer = RUNNERS.find(({ name }) => name === runner)?.canary;
  const order = new Map(preferred.map((path, index) => [path, index]));
  const ranked = paths.flatMap((path) => {
    const rank = NOT_RUN.test(path) || isSupport(path) ? 0 : (writer?.rank(path, all) ?? 0);
    return rank === 0 ? [] : [{ path, rank: rank - (ELSEWHERE.test(path) ? 2 : 0) }];
  });
  const place = ({ path }: { readonly path: string }) => order.get(path) ?? preferred.length;
  const depth = ({ path }: { readonly path: string }) => path.split('/').length;
  return ranked
    .toSorted(
      (one, other) =>
        place(one) - place(other) ||
        other.rank - one.rank ||
        depth(one) - depth(other) ||
        (one.path < other.path ? -1 : 1),
    )
    .map(({ path }) => path);
}

function isSupport(path: string): boolean {
  const role = roleOf(path);
  if (role === 'generated' || role === 'config' || role === 'pipeline') return true;
  return role === 'test_support' && (HELPER.test(nameOf(path)) || /(?:^|\/)conftest\.py$/.test(path));
}
