import { nameOf } from '../lib/paths.ts';

/** All that the text of a failing test is written from. */
export type CanaryPlace = {
  /** The runner, by its name. */
  readonly runner: string;
  /** The existing test beside which the new one is laid: its path, and its text. */
  readonly path: string;
  readonly text: string;
  readonly loads: readonly string[];
  readonly paths: ReadonlySet<string>;
  readonly word: string;
  /** The file name of the new test. */
  readonly name: string;
};

/** A test, and the changed files that it loads before it fails. */
export type TestText = { readonly text: string; readonly loads: readonly string[] };

/** Files that start something as soon as they are loaded, and may never end or end the process: not of themselves a fault. */
const PROGRAM =
  /^(?:__main__|main|cli|index|app|application|server|worker|manage|setup|wsgi|asgi|run|start|bootstrap|migrate|seed)\.\w+$/i;

/** Whether a file can be loaded by a test that doesn't know it, by its path. */
export function isModule(path: string): boolean {
  return !PROGRAM.test(nameOf(path)) && !/(?:^|\/)(?:bin|scripts?|tools|migrations?)\//.test(path);
}

/** @param depth Spaces in front of each line. */
export function indented(lines: readonly string[], depth: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(depth) + line));
}

/** How a failing test is laid beside another one of a runner. */
export type CanaryWriter = {
  /** How sure it is that the runner takes a file for a test: 2 by its name, 1 by its folder, 0 not. */
  readonly rank: (path: string, paths: ReadonlySet<string>) => number;
  /** `null`: it isn't known how to write one there. */
  readonly text: (place: CanaryPlace) => TestText | null;
  /** Its path, where that isn't the neighbour's with the word in it; `null`: there is no place for one. */
  readonly path?: (neighbour: string, word: string, paths: ReadonlySet<string>) => string | null | undefined;
};

/** `math.unit.test.ts` → `math`, `.unit.test.ts`; `math_test.go` → `math`, `_test.go`; `ClampTest.java` → `Clamp`, `Test.java`. */
const PARTS = /^(.+?)((?:[-_](?:tests?|specs?)|(?:Tests?|TestCase|Specs?|IT))?(?:\.[\w-]+)+)$/;

/** The neighbour's name with the word in it: what a runner goes by, at either end of it, stays. */
export function siblingOf(neighbour: string, word: string, separator?: string): string | null {
  const folder = neighbour.slice(0, neighbour.lastIndexOf('/') + 1);
  const name = nameOf(neighbour);
  const [, stem, rest] = PARTS.exec(name) ?? [];
  if (stem === undefined || rest === undefined) return null;
  const isJavascript = /\.[cm]?[jt]sx?$/.test(name);
  const between = separator ?? (isJavascript && !/_/.test(name) ? '-' : '_');
  return `${folder}${stem}${between}${word}${rest}`;
}

/** Files in the folder of tests that hold none. */
export const HELPER =
  /(?:^|\/)(?:set-?up|teardown|bootstrap|support|helpers?|utils?|fixtures?|common|shared|hooks?|globals?|config|mocks?|stubs?|factor(?:y|ies)|index)\b[^/]*(?:\/|$)|[-_.](?:helpers?|utils?|fixtures?|setup|config)\.\w+$/i;
