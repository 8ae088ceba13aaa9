import { shortened } from './text.ts';

/** Limit of an error line, in characters. */
const LONGEST = 300;
/** Number of characters searched in an output. */
const SEARCHED = 20_000;
/** Limit per line, as the patterns below take quadratic time at worst. */
const LINE_SEARCHED = 500;

/** Error names in programs and languages. */
const NAMED =
  /\b(?:\w*(?:Error|Exception)|error(?: ?\[?\w+\]?)?|fatal|panic(?:ked)?|E[A-Z]{3,})\b ?[:(!]|\bERROR\b|✗|✖/;
const FAILED =
  /\b(?:fail(?:s|ed|ure)?|error|cannot|can't|could not|couldn't|unable|denied|refused|invalid|unexpected|undefined|missing|not found|no such|does not exist|doesn't exist|expected)\b/i;
/** A status that stands alone, without words that say what failed. */
const STATUS =
  /^(?:error:? ?)?(?:the )?(?:command |process )?(?:failed |exited )?(?:with )?(?:exit |status )?(?:code|status)? ?#?-?\d*[.!]?$/i;

/** Heading with a file but no error. */
const HEADING = /^[_\s]*ERROR(?: collecting)? \S+[_\s]*$/;
/** File and line alone: Node prints it two lines above an uncaught error. */
const PLACE_ALONE = /^(?:# )?\S+:\d+$/;

/** Addresses and Node's own modules. */
const URL = /\b(?:[a-z][\w+.-]*:\/\/|node:)\S+/gi;
const ENDINGS =
  '[cm]?[jt]sx?|json[lc5]?|md|py|rb|go|rs|java|kts?|swift|cs|php|c|h|cc|cpp|hpp|sh|ya?ml|toml|lock|txt|html?|s?css|sql|vue|svelte|log|snap|xml|cfg|ini|env';
/** Path, or name with a known extension; then the line as `:12`, `(12,5)` or `, line 12`. */
const PATH = new RegExp(
  `((?:~|\\.{1,2})?(?:[\\w@%+.-]*[\\\\/])+[\\w@%+.-]*\\w|[\\w@+-][\\w@+.-]*\\.(?:${ENDINGS})\\b)(?::(\\d+)|\\((\\d+)[,)]|["']?, line (\\d+))?`,
  'g',
);
/** `and/or` isn't a path. */
const IS_PATH = new RegExp(`^[~./\\\\]|[\\\\/].*[\\\\/]|\\.(?:${ENDINGS})$|\\.\\w+$`);
/** Name of a module relative to the file that imports it; from the top of the repository, it isn't a place. */
const SPECIFIER = /(["'`])\.{1,2}\/[^"'`]*\1/g;
const ABOUT_MODULES = /\b(?:modules?|imports?|resolve)\b/i;
const FOREIGN = /node_modules|node:|site-packages|^\/(?:usr|lib)\//;

export type ErrorPlace = {
  /** Line that names the error, unchanged; '' for empty output. */
  readonly line: string;
  /** Related path, with its line when given (`src/a.ts:12`). */
  readonly path: string | null;
};

/** Returns the line that names the error, else one about a failure, else the last. */
export function errorIn(output: string): ErrorPlace {
  const lines = linesOf(output);
  const line = lines.find(namesError) ?? lines.find((one) => FAILED.test(one)) ?? lines.at(-1) ?? '';
  const from = lines.indexOf(line);
  // Lines after an error name its place; earlier ones may be unrelated.
  const paths = [line, ...lines.slice(from + 1), ...lines.slice(0, Math.max(0, from))].flatMap(pathsIn);
  return {
    line: shortened(line, LONGEST),
    path: paths.find((path) => !FOREIGN.test(path)) ?? paths[0] ?? null,
  };
}

/**
 * Returns the last line that names an error, else the last line; '' for empty output. Programs print stacks, versions and
 * hints after the error that ended them.
 */
export function lastErrorIn(output: string): string {
  const lines = linesOf(output);
  return shortened(lines.findLast(namesError) ?? lines.at(-1) ?? '', LONGEST);
}

/** Returns the last lines without those that only state that something failed. */
function linesOf(output: string): readonly string[] {
  return output
    .slice(-SEARCHED)
    .split(/\r?\n|\r/)
    .map((line) => line.trim().slice(0, LINE_SEARCHED))
    .filter((line) => line !== '' && !STATUS.test(line));
}

function namesError(line: string): boolean {
  return NAMED.test(line) && !HEADING.test(line);
}

function pathsIn(line: string): string[] {
  return placesIn(line).map(({ path, line: number }) => (number === null ? path : `${path}:${number}`));
}

/** Returns the paths in a line, with line numbers from 1. */
export function placesIn(line: string): { readonly path: string; readonly line: number | null }[] {
  const text = line.slice(0, LINE_SEARCHED).replace(URL, ' ');
  const named = ABOUT_MODULES.test(text) ? text.replace(SPECIFIER, ' ') : text;
  return [...named.matchAll(PATH)].flatMap(([, path = '', ...at]) => {
    const number = at.find((one) => one !== undefined);
    return IS_PATH.test(path) ? [{ path, line: number === undefined ? null : Number(number) }] : [];
  });
}

/** Limits of an excerpt: lines, and characters per line. */
export const EXCERPT_LINES = 6;
const EXCERPT_CHARS = 200;
/** Number of failing tests named in an excerpt. */
const TESTS_NAMED = 3;
/** Number of lines after an error that are searched for its place. */
const PLACE_WITHIN = 15;
/** The error's text follows on the next lines: `error: |-`, `AssertionError:`. */
const CONTINUES = /(?:\|-?|>-?|:)\s*$/;

/** Returns up to `EXCERPT_LINES` lines: failing tests or errors with places, else the first error, else the end. */
export function excerptOf(
  output: string,
  failing: readonly string[] = [],
  places: readonly { readonly test: string; readonly place: string }[] = [],
): readonly string[] {
  const lines = linesOf(output).filter((line) => /[\p{L}\p{N}]/u.test(line));
  const tests = failing.slice(0, TESTS_NAMED).map((name) => {
    const place = places.find(({ test }) => test === name)?.place;
    return `failing: ${name.replace(/\s+/g, ' ')}${place === undefined ? '' : ` (${place})`}`;
  });
  const more = failing.length - tests.length;
  const head = more > 0 ? [...tests.slice(0, -1), `${tests.at(-1)}, and ${more} more`] : tests;
  const room = EXCERPT_LINES - head.length;
  const found = [...new Set(errorsIn(lines))].slice(0, room);
  const shown = found.length > 0 || head.length > 0 ? found : lines.slice(-TESTS_NAMED);
  return [...head, ...shown].map((line) => shortened(line, EXCERPT_CHARS));
}

function errorsIn(lines: readonly string[]): readonly string[] {
  const placed = lines.filter((line) => namesError(line) && ownPath(line) !== null);
  if (placed.length > 0) return placed;
  const named = lines.findIndex(namesError);
  const at = named < 0 ? lines.findIndex((line) => FAILED.test(line)) : named;
  const line = lines[at];
  if (line === undefined) return [];
  const text = CONTINUES.test(line) ? lines.slice(at + 1, at + 3) : [];
  const above = lines[at - 2] ?? '';
  const isAbove = PLACE_ALONE.test(above) && ownPath(above) !== null;
  const place = isAbove
    ? undefined
    : lines.slice(at + 1, at + 1 + PLACE_WITHIN).find((one) => ownPath(one) !== null);
  // ESLint and similar tools print the file first.
  const isListed = /^\d+:\d+\b/.test(line);
  const listed = isListed ? lines.slice(0, at).findLast((one) => ownPath(one) !== null) : undefined;
  const before = isAbove ? above : listed;
  // A YAML key needs the lines after it.
  const own = /[|>]-?$/.test(line) ? [] : [line];
  return [
    ...(before === undefined ? [] : [before]),
    ...own,
    ...text,
    ...(place === undefined ? [] : [place]),
  ];
}

function ownPath(line: string): string | null {
  return pathsIn(line.replaceAll('file://', '')).find((path) => !FOREIGN.test(path)) ?? null;
}
