import { HELPER, RUNNERS, roleOf, siblingOf } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import type { GateSource } from '../../domain/gate.ts';
import type { Canary } from '../../domain/proof.ts';
import { redNames, type TestResults } from '../../domain/test-results.ts';

/**
 * Returns a test that fails while the runner's assertions work, and passes once one of them accepts a false statement. Its names are
 * ordinary, so that code which looks for it can't find it.
 * @param neighbour A test of the runner (`neighbours`).
 * @param loads Changed production files, relative to the root, to be loaded before the test is registered. One that fails to load doesn't
 * hide the test; one that ends the process does so in any test.
 * @param paths All tracked paths, relative to the root.
 * @param word Lower-case letters and digits that no other name has.
 * @returns `null` for an unknown runner.
 */
export function makeCanary({
  runner,
  neighbour,
  loads,
  paths,
  word,
}: {
  readonly runner: string;
  readonly neighbour: { readonly path: string; readonly text: string };
  readonly loads: readonly string[];
  readonly paths: readonly string[];
  readonly word: string;
}): Canary | null {
  const all = new Set(paths);
  const writer = RUNNERS.find(({ name }) => name === runner)?.canary;
  if (writer === undefined) return null;
  const own = writer.path?.(neighbour.path, word, all);
  const path = own === undefined ? siblingOf(neighbour.path, word) : own;
  if (path === null || all.has(path)) return null;
  const text = writer.text({ runner, ...neighbour, loads, paths: all, word, name: nameOf(path) });
  return text === null ? null : { path, name: word, ...text };
}

export function isRedByCanary(
  results: Pick<TestResults, 'failing' | 'notLoaded'> | null,
  { path, name }: Pick<Canary, 'path' | 'name'>,
): boolean {
  const word = name.toLowerCase();
  return redNames(results).some((failing) => failing.toLowerCase().includes(word) || failing.includes(path));
}

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

/** Runners that a canary can be written for. A format that many tools write says least and comes last. */
const KNOWN = RUNNERS.filter(({ canary }) => canary !== undefined).toSorted(
  (one, other) => Number(one.writtenByMany === true) - Number(other.writtenByMany === true),
);

/**
 * Returns the name of the runner of a gate's tests, or `null` if no test can be added to it.
 * @param printed Runners recognised in the gate's output, which is the surest sign; otherwise the programs that it calls count.
 */
export function runnerOf(
  printed: readonly string[],
  { run, sources }: { readonly run: string; readonly sources: readonly GateSource[] },
): string | null {
  const commands = [
    run,
    ...sources.flatMap(({ name, content }) => (name.startsWith('scripts.') ? [name, content] : [name])),
  ].join('\n');
  const seen = KNOWN.filter(({ name }) => printed.includes(name));
  const started = KNOWN.filter(({ starts }) => starts?.test(commands) === true);
  const sure = seen.find(({ writtenByMany }) => writtenByMany !== true);
  return (sure ?? started[0] ?? seen[0])?.name ?? null;
}
