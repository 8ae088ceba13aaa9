import type { Canary } from '../../../domain/proof.ts';
import type { TestResults } from '../../../domain/test-results.ts';
import { redNames } from '../../../domain/test-results.ts';
import { RUNNERS, siblingOf } from '../../../ecosystems/index.ts';
import { nameOf } from '../../../lib/paths.ts';

/**
 * A test that fails as long as the runner's assertions work, and passes as soon as one of them accepts what is false.
 * Its names are ordinary: code that looks for it must not find it.
 *
 * @param neighbour A test of the runner (`neighbours`).
 * @param loads Changed files of production, relative to the top; those that can be are loaded before the test is registered.
 *   A file that fails to load doesn't hide the test, one that ends the process does what it would do in any test.
 * @param paths All tracked paths, relative to the top.
 * @param word Lower-case letters and digits that are in no other name.
 * @returns `null`: it isn't known how to write one there.
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

/** Whether the canary is among the failing tests, by its name or as a file that can't be loaded. */
export function isRedByCanary(
  results: Pick<TestResults, 'failing' | 'notLoaded'> | null,
  { path, name }: Pick<Canary, 'path' | 'name'>,
): boolean {
  const word = name.toLowerCase();
  return redNames(results).some((failing) => failing.toLowerCase().includes(word) || failing.includes(path));
}
