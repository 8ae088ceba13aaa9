import type { GateResult, GateSpec } from '../../domain/gate.ts';
import type { CodeElsewhere } from '../../domain/ports.ts';
import { isLock, languageOf, roleOf } from '../../ecosystems/index.ts';
import { firstFew, pathText, quotedNames } from '../../lib/text.ts';

/** What gates test in the place of the work. */
export type TestedElsewhere = {
  readonly gates: readonly Pick<GateSpec, 'name' | 'box'>[];
  /** `names`: a tracked file names the checkout by its path; `apart`: nothing of the copy is read. */
  readonly kind: CodeElsewhere['kind'] | 'names' | 'apart';
  /** Files that lead the gates there, or that they test; `apart`: folders that the gates' command or output names. */
  readonly files: readonly string[];
};

/** Code by its ending, of languages that aren't in `lib/code/languages.ts`. */
const MORE_CODE = /\.(?:erl|hrl|clj[cs]?|lisp|scm|ml|tcl|nim|cr|d|f90|pas|elm)$/i;
/** Files that say how a project is built, in the form of code, and forms without code. */
const SETTINGS =
  /\.gemspec$|(?:^|\/)(?:Gemfile|Podfile|gulpfile\.\w+|Gruntfile\.\w+)$|\.config\.\w+$|\.d\.[mc]?ts$|\.pyi$/;

/** Whether a file is production code, so that tests may reach it. */
export function isProduction(path: string): boolean {
  const role = roleOf(path);
  return (role === 'source' || (role === 'other' && MORE_CODE.test(path))) && !SETTINGS.test(path);
}

/** Whether a tracked file is code that a tool made, such as a build that is committed. */
export function isMade(path: string): boolean {
  return roleOf(path) === 'generated' && !isLock(path) && languageOf(path).name !== 'data';
}

const LEFT_WHOLE: ReadonlySet<string> = new Set(['config', 'pipeline', 'policy']);

/** Whether tests or what they reach may be in a file: settings alone can't. */
export function isWhatRuns(path: string): boolean {
  return !LEFT_WHOLE.has(roleOf(path)) && !isLock(path) && !SETTINGS.test(path);
}

/** A file that no interpreter and no compiler takes. */
export function unloadable(path: string): { readonly path: string; readonly text: string } {
  const text = ')( ralph broke this file on purpose\n';
  // What stands outside of these is text in them.
  if (/\.(?:vue|svelte|astro)$/.test(path)) return { path, text: `<script>${text}</script>\n` };
  return { path, text: path.endsWith('.php') ? `<?php ${text}` : text };
}

type Named = {
  /** The files, as a sentence names them. */
  readonly files: string;
  /** The gates, as what follows refers to them. */
  readonly them: 'it' | 'them';
  readonly theyImport: string;
  /** How the gates would have the box. */
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

/** What to say of gates that test something else wherever they run, and what helps. */
export function testedElsewhereText({ gates, kind, files }: TestedElsewhere): string {
  const names = quotedNames(gates.map(({ name }) => name));
  const isOne = gates.length === 1;
  const them = isOne ? 'it' : 'them';
  const tested = TESTED[kind]({
    files: files.length === 0 ? 'something else' : firstFew(files.map(pathText), NAMED),
    ...{ them, theyImport: isOne ? 'it imports' : 'they import' },
    box: gates.some((one) => !one.box)
      ? `without box = false for ${them}`
      : 'in the box (why it is off: ralph doctor)',
  });
  return `${isOne ? 'Gate' : 'Gates'} ${names} ${isOne ? 'tests' : 'test'} ${tested}.`;
}

/** Paths that a sentence names. */
const NAMED = 3;

/** How commands name the folder in which they run. */
const GOES_TO = /(?:\bcd|\s-C|--(?:prefix|cwd|dir|directory|root|rootdir))[ =]+["']?(\/[^\s"';&|]+)/g;
const NAMED_FOLDER = /(?:^|[\s"'(=:])(?:file:\/\/)?(\/[\w.@+~-]+(?:\/[\w.@+~-]+)+)/g;

/** Folders outside of a copy in which a gate's tests may have run, by its command, or else by what it printed. `top`: of the copy, absolute. */
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

/** How many tests a gate's output counts. */
export function ranTests(result: Pick<GateResult, 'results'> | undefined): number {
  return result?.results?.tests?.run ?? 0;
}
