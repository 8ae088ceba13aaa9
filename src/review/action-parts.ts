import { shellQuote } from '../lib/shell-quote.ts';

type Input = Readonly<Record<string, unknown>>;

const COMMAND_KEYS = ['command', 'cmd', 'script'];
const TYPED_KEYS = ['chars', 'input', 'text', 'data'];
const CODE_KEYS = ['code', 'script', 'source', 'javascript', 'python'];
const PATCH_KEYS = ['command', 'input', 'patch', 'patchText', 'patch_text', 'diff'];
const FOLDER_KEYS = ['workdir', 'working_directory', 'workingDirectory', 'cwd', 'directory', 'dir_path'];

/** The command line of a shell tool; an argument list is quoted. `null` where there is none. */
export function commandText(input: Input): string | null {
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((word) => shellQuote(String(word))).join(' ');
  }
  return null;
}

export function typedTexts(input: Input): readonly string[] {
  return strings(input, TYPED_KEYS);
}

export function codeTexts(input: Input): readonly string[] {
  return strings(input, CODE_KEYS);
}

/** The text of a patch, as text or inside an argument list. */
export function patchTexts(input: Input): readonly string[] {
  const lists = PATCH_KEYS.map((key) => input[key]).filter(Array.isArray);
  return [...strings(input, PATCH_KEYS), ...lists.flat().filter((each) => typeof each === 'string')];
}

/** Folder that the call itself names to run in. */
export function namedFolder(input: Input): string | null {
  return strings(input, FOLDER_KEYS).find((folder) => folder !== '') ?? null;
}

function strings(input: Input, keys: readonly string[]): readonly string[] {
  return keys.map((key) => input[key]).filter((value) => typeof value === 'string');
}

export type NamedPath = { readonly key: string; readonly path: string };

/** One more than this is found where there are too many. */
export const MOST_PATHS = 1000;

const PATH_WORDS =
  /^(?:file|path|filename|filepath|pathname|dir|directory|folder|dest|destination|target|source|src|from|to|uri)s?$/;

/** Every text in the input that is named like a path, in lists and members too. */
export function namedPaths(input: Input): readonly NamedPath[] {
  const found: NamedPath[] = [];
  collect(input, '', found, 0);
  return found;
}

function collect(value: unknown, key: string, found: NamedPath[], depth: number): void {
  if (depth > 5 || found.length > MOST_PATHS) return;
  if (typeof value === 'string') {
    if (value !== '' && isPathName(key)) found.push({ key, path: value.replace(/^file:\/\//, '') });
  } else if (Array.isArray(value)) {
    for (const each of value) collect(each, key, found, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) collect(each, name, found, depth + 1);
  }
}

function isPathName(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => PATH_WORDS.test(word)) && !/content|text|pattern/.test(words.at(-1) ?? '');
}
