import type { Canary, TestRunner } from '../../../domain/proof.ts';
import type { TestResults } from '../../../domain/test-results.ts';
import { nameOf } from '../../../lib/paths.ts';
import { crateOf } from './neighbours.ts';
import { goText } from './texts/go.ts';
import { javaText } from './texts/java.ts';
import { javascriptText } from './texts/javascript.ts';
import { pytestText, unittestText } from './texts/python.ts';
import { rspecText } from './texts/ruby.ts';
import type { CanaryPlace, TestText } from './texts/test-text.ts';

const TEXTS: Readonly<Record<TestRunner, (place: CanaryPlace) => TestText | null>> = {
  node: javascriptText,
  vitest: javascriptText,
  jest: javascriptText,
  mocha: javascriptText,
  pytest: pytestText,
  unittest: unittestText,
  go: goText,
  cargo: rustText,
  rspec: rspecText,
  junit: javaText,
};

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
  readonly runner: TestRunner;
  readonly neighbour: { readonly path: string; readonly text: string };
  readonly loads: readonly string[];
  readonly paths: readonly string[];
  readonly word: string;
}): Canary | null {
  const all = new Set(paths);
  const path = siblingOf(runner, neighbour.path, word, all);
  if (path === null || all.has(path)) return null;
  const text = TEXTS[runner]({ runner, ...neighbour, loads, paths: all, word, name: nameOf(path) });
  return text === null ? null : { path, name: word, ...text };
}

/** `math.unit.test.ts` → `math`, `.unit.test.ts`; `math_test.go` → `math`, `_test.go`; `ClampTest.java` → `Clamp`, `Test.java`. */
const PARTS = /^(.+?)((?:[-_](?:tests?|specs?)|(?:Tests?|TestCase|Specs?|IT))?(?:\.[\w-]+)+)$/;

/** The neighbour's name with the word in it: what a runner goes by, at either end of it, stays. */
function siblingOf(
  runner: TestRunner,
  neighbour: string,
  word: string,
  paths: ReadonlySet<string>,
): string | null {
  const folder = neighbour.slice(0, neighbour.lastIndexOf('/') + 1);
  const name = nameOf(neighbour);
  if (runner === 'cargo') {
    const crate = crateOf(neighbour, paths);
    if (crate === null) return null;
    if (!/^tests\/[^/]+$/.test(neighbour.slice(crate.length))) return `${crate}tests/${word}.rs`;
  }
  // The one file of an application's tests: others beside it are found by the ordinary pattern.
  if (name === 'tests.py') return `${folder}test_${word}.py`;
  const [, stem, rest] = PARTS.exec(name) ?? [];
  if (stem === undefined || rest === undefined) return null;
  if (runner === 'junit') return `${folder}${stem}${capitalised(word)}${rest}`;
  const isJavascript = /\.[cm]?[jt]sx?$/.test(name);
  const separator = isJavascript && !/_/.test(name) ? '-' : '_';
  return `${folder}${stem}${separator}${word}${rest}`;
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Macros of the language: nothing that production code could replace in another program. */
function rustText({ word }: CanaryPlace): TestText {
  const test = `#![allow(clippy::all)]\n\n#[test]\nfn ${word}() {\n    assert_eq!(1 + 1, 3);\n}\n`;
  return { text: test, loads: [] };
}

/** Whether the canary is among the failing tests, by its name or as a file that can't be loaded. */
export function isRedByCanary(
  results: Pick<TestResults, 'failing'> | null,
  { path, name }: Pick<Canary, 'path' | 'name'>,
): boolean {
  const word = name.toLowerCase();
  return (results?.failing ?? []).some(
    (failing) => failing.toLowerCase().includes(word) || failing.includes(path),
  );
}
