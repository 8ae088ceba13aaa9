import type { TestRunner } from '../../../../domain/proof.ts';
import { nameOf } from '../../../../lib/paths.ts';

/** What a text is written from. */
export type CanaryPlace = {
  readonly runner: TestRunner;
  /** Of the neighbour. */
  readonly path: string;
  readonly text: string;
  readonly loads: readonly string[];
  readonly paths: ReadonlySet<string>;
  readonly word: string;
  /** Of the new file. */
  readonly name: string;
};

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
