import { RUNNERS, siblingOf } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import type { Canary } from '../../../domain/proof.ts';
import type { TestResults } from '../../../domain/test-results.ts';
import { redNames } from '../../../domain/test-results.ts';

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
