import type { TestRunner } from '../../../domain/proof.ts';
import { isCollected, roleOf } from '../../../lib/code/file-role.ts';
import { nameOf } from '../../../lib/paths.ts';

/** Code that tests use as data, or that stands in for something. */
const NOT_RUN =
  /(?:^|\/)(?:(?:__)?fixtures?(?:__)?|__mocks__|__snapshots__|mocks|stubs|testdata|test-data|vendor|node_modules|third_party)\//;
/** Files in the folder of tests that hold none. */
const HELPER =
  /(?:^|\/)(?:set-?up|teardown|bootstrap|support|helpers?|utils?|fixtures?|common|shared|hooks?|globals?|config|mocks?|stubs?|factor(?:y|ies)|index)\b[^/]*(?:\/|$)|[-_.](?:helpers?|utils?|fixtures?|setup|config)\.\w+$/i;
/** Seldom what a gate of unit tests runs. */
const ELSEWHERE =
  /(?:^|\/)(?:e2e|cypress|playwright|bench(?:marks?)?|examples?|integration)\/|\.(?:e2e|cy|bench)\./;

const JAVASCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** How sure it is that a runner takes a file for a test: 2 by its name, 1 by its folder, 0 not. */
const RANKS: Readonly<Record<TestRunner, (path: string, paths: ReadonlySet<string>) => number>> = {
  vitest: (path) => (JAVASCRIPT.test(path) && isCollected(path) && !/[.-]test-d\./.test(path) ? 2 : 0),
  jest: (path) => (JAVASCRIPT.test(path) && isCollected(path) ? 2 : 0),
  node: javascriptFolder,
  mocha: javascriptFolder,
  pytest: (path) => (/(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path) ? 2 : 0),
  unittest: (path) => (/(?:^|\/)test[^/]*\.py$/.test(path) ? 2 : /_test\.py$/.test(path) ? 1 : 0),
  go: (path) => (path.endsWith('_test.go') ? 2 : 0),
  cargo: rust,
  rspec: (path) => (path.endsWith('_spec.rb') ? 2 : 0),
  junit: (path) => {
    if (/(?:Tests?|TestCase)\.java$|(?:^|\/)Test[A-Z][^/]*\.java$/.test(path)) return 2;
    return /IT\.java$/.test(path) ? 1 : 0;
  },
};

/** By folder alone: mocha and node:test take every file of theirs. */
function javascriptFolder(path: string): number {
  if (!JAVASCRIPT.test(path)) return 0;
  if (isCollected(path)) return 2;
  return /(?:^|\/)(?:tests?|specs?)\//.test(path) && !HELPER.test(path) ? 1 : 0;
}

/** Files of `tests/` are programs of their own; a crate without any gets its first one. */
function rust(path: string, paths: ReadonlySet<string>): number {
  const crate = crateOf(path, paths);
  if (crate === null || !path.endsWith('.rs')) return 0;
  const inCrate = path.slice(crate.length);
  if (/^tests\/[^/]+\.rs$/.test(inCrate)) return 2;
  return /^src\//.test(inCrate) ? 1 : 0;
}

/** The folder of the nearest manifest, with a slash at its end unless it is the top; `null`: there is none. */
export function crateOf(path: string, paths: ReadonlySet<string>): string | null {
  for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at + 1);
    if (paths.has(`${folder}Cargo.toml`)) return folder;
    if (at <= 0) return at === 0 || !paths.has('Cargo.toml') ? null : '';
  }
}

/**
 * The test files that a canary can lie beside, best first: helpers, fixtures and set-up aren't.
 *
 * @param paths All tracked paths, relative to the top.
 * @param preferred Tests that changed, or lie near changed files, best first.
 */
export function neighbours(
  runner: TestRunner,
  paths: readonly string[],
  preferred: readonly string[],
): string[] {
  const all = new Set(paths);
  const order = new Map(preferred.map((path, index) => [path, index]));
  const ranked = paths.flatMap((path) => {
    const rank = NOT_RUN.test(path) || isSupport(path) ? 0 : RANKS[runner](path, all);
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
