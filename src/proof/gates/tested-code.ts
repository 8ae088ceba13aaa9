import { isLock, languageOf, roleOf } from 'ralph-ecosystems';
import { firstFew, pathText, quotedNames } from 'ralph-kit/text';
import type { GateResult, GateSpec } from '../../domain/gate.ts';
import type { CodeElsewhere } from '../../domain/ports.ts';

export type TestedElsewhere = {
  readonly gates: readonly Pick<GateSpec, 'name' | 'box'>[];
  /** `names`: a tracked file has the checkout's path; `apart`: nothing of the copy is read. */
  readonly kind: CodeElsewhere['kind'] | 'names' | 'apart';
  /** Files that point the gates there, or that they test; for `apart`, folders in the gates' command or output. */
  readonly files: readonly string[];
};

/** Extensions of code in languages that aren't in `lib/code/languages.ts`. */
const MORE_CODE = /\.(?:erl|hrl|clj[cs]?|lisp|scm|ml|tcl|nim|cr|d|f90|pas|elm)$/i;
/** Files in a programming language that configure a build, and type declarations without code. */
const SETTINGS =
  /\.gemspec$|(?:^|\/)(?:Gemfile|Podfile|gulpfile\.\w+|Gruntfile\.\w+)$|\.config\.\w+$|\.d\.[mc]?ts$|\.pyi$/;

export function isProduction(path: string): boolean {
  const role = roleOf(path);
  return (role === 'source' || (role === 'other' && MORE_CODE.test(path))) && !SETTINGS.test(path);
}

export function isMade(path: string): boolean {
  return roleOf(path) === 'generated' && !isLock(path) && languageOf(path).name !== 'data';
}

const LEFT_WHOLE: ReadonlySet<string> = new Set(['config', 'pipeline', 'policy']);

/** Returns whether a file may have tests or code that they reach. Settings alone can't. */
export function isWhatRuns(path: string): boolean {
  return !LEFT_WHOLE.has(roleOf(path)) && !isLock(path) && !SETTINGS.test(path);
}

export function unloadable(path: string): { readonly path: string; readonly text: string } {
  const text = ')( ralph broke this file on purpose\n';
  // Outside of a script tag, these files would show it as text.
  if (/\.(?:vue|svelte|astro)$/.test(path)) return { path, text: `<script>${text}</script>\n` };
  return { path, text: path.endsWith('.php') ? `<?php ${text}` : text };
}

type Named = {
  readonly files: string;
  readonly them: 'it' | 'them';
  readonly theyImport: string;
  /** Phrase for the setting of the box that helps. */
  readonly box: string;
};

const TESTED: Readonly<Record<TestedElsewhere['kind'], (named: Named) => string>> = {
  imports: ({ theyImport, files, them, box }) =>
    `your checkout, and not the work: what ${theyImport} is found by ${files}, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run ${them} ${box}`,
  installed: ({ files }) =>
    `${files}, and not the work: that is a copy which was installed before. Install the package in place of a copy of it (pip install -e ., a workspace), or install it in the gate`,
  built: ({ files }) =>
    `${files}, and not the work: that was built before. Build it in the gate before the tests, as in "npm run build && npm test"`,
  names: ({ files }) =>
    `your checkout, and not the work: ${files} names it by its path. Name it there by a path that begins at the top of the repository`,
  apart: ({ files }) =>
    `${files}, and not the work: with all files of the copy broken, the same tests pass. Have the gate run its tests in the folder that it is started in`,
};

export function testedElsewhereText({ gates, kind, files }: TestedElsewhere): string {
  const names = quotedNames(gates.map(({ name }) => name));
  const isOne = gates.length === 1;
  const them = isOne ? 'it' : 'them';
  const tested = TESTED[kind]({
    files: files.length === 0 ? 'something else' : firstFew(files.map(pathText), NAMED),
    them,
    theyImport: isOne ? 'it imports' : 'they import',
    box: gates.some((one) => !one.box)
      ? `without box = false for ${them}`
      : 'in the box (why it is off: ralph doctor)',
  });
  return `${isOne ? 'Gate' : 'Gates'} ${names} ${isOne ? 'tests' : 'test'} ${tested}.`;
}

/** Number of paths in a sentence. */
const NAMED = 3;

const GOES_TO = /(?:\bcd|\s-C|--(?:prefix|cwd|dir|directory|root|rootdir))[ =]+["']?(\/[^\s"';&|]+)/g;
const NAMED_FOLDER = /(?:^|[\s"'(=:])(?:file:\/\/)?(\/[\w.@+~-]+(?:\/[\w.@+~-]+)+)/g;

/** Returns the folders outside of `top` in which a gate's tests may have run, by its command or else its output. */
export function foldersNamed(
  { run, output }: { readonly run: string; readonly output: string },
  top: string,
): string[] {
  const isOther = (path: string) => path !== top && !path.startsWith(`${top}/`);
  const named = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, path = '']) => path).filter(isOther);
  const gone = named(run, GOES_TO);
  return [...new Set(gone.length > 0 ? gone : named(output, NAMED_FOLDER))];
}

export function ranTests(result: Pick<GateResult, 'results'> | undefined): number {
  return result?.results?.tests?.run ?? 0;
}
