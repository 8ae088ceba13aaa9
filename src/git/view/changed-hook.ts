import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { tryOr } from 'ralph-kit/try-or';
import type { HooksHow, HookText, WorkTree } from '../call/work-tree.ts';
import { HOOKS, isHook } from './hooks.ts';

/** Limits for following scripts: bytes per file, number of files. */
const MAX_SCRIPT_BYTES = 64 * 1024;
const MAX_SCRIPTS = 200;
/** Shell scripts are followed; programs in other languages mostly name files that they only process. */
const FOLLOWED = /^#!.*\b(?:ba|da|z|k)?sh\b|^(?!#!)/;

/**
 * Returns a file that your hooks run and that changed since ralph started, relative to the top; `null` without one.
 * An agent could have written it, and it would run inside ralph's own git.
 * @param isMeant Selects the paths to check.
 */
export function changedHook(
  { top, view }: WorkTree,
  isMeant: (path: string) => boolean = () => true,
): string | null {
  if (view === null) return null;
  const now = readHookFiles(top, view.hooksFrom, view.how);
  const paths = [...new Set([...now.keys(), ...view.hookFiles.keys()])];
  return paths.find((path) => isMeant(path) && now.get(path) !== view.hookFiles.get(path)) ?? null;
}

const PACKAGE = 'package.json';

/** Returns a changed hook file, or `null`. @param tree The copy. @param root Top of the checkout. */
export function hookAmong({ top, view }: WorkTree, root: string, paths: readonly string[]): string | null {
  if (view === null) return null;
  const folder = relative(root, view.hooksFrom);
  const isInside = !folder.startsWith('..') && !folder.startsWith('.git/');
  const found = paths.find((path) => view.hookFiles.has(path) || (isInside && path.startsWith(`${folder}/`)));
  if (found !== undefined || !paths.includes(PACKAGE)) return found ?? null;
  const now = readText(join(top, PACKAGE));
  const isChanged = ([name, hash]: readonly [string, string]) =>
    name.startsWith(`${PACKAGE}/`) && sha256(packageEntry(now, name.slice(PACKAGE.length + 1))) !== hash;
  return [...view.hookFiles].some(isChanged) ? PACKAGE : null;
}

/** Returns hashes of the hooks, other files in their folder, and files they run in the work tree. */
export function readHookFiles(
  top: string,
  hooks: string,
  { runs }: Pick<HooksHow, 'runs'>,
): ReadonlyMap<string, string> {
  const active = HOOKS.map((name) => join(hooks, name)).filter(isHook);
  const files = new Map<string, string>();
  if (active.length === 0) return files;
  const names = entries(top);
  const packageJson = readText(join(top, PACKAGE));
  const texts: (HookText & { readonly folder: string })[] = [];
  const note = (path: string, bytes: Buffer | string) => {
    const name = relative(top, path);
    if (files.has(name) || files.size > MAX_SCRIPTS) return false;
    files.set(name, sha256(bytes));
    return true;
  };
  const addFile = (path: string, kind: 'script' | 'settings' = 'script') => {
    const bytes = tryOr(null, () => readFileBytes(path));
    if (bytes === null || !note(path, bytes) || bytes.length > MAX_SCRIPT_BYTES) return;
    const text = bytes.toString('utf8');
    const isFollowed =
      !path.includes(`${sep}node_modules${sep}`) && !/\.[cm]?[jt]s$/.test(path) && FOLLOWED.test(text);
    if (isFollowed) texts.push({ folder: dirname(path), text, kind });
  };
  for (const path of active) addFile(path);
  // husky's hooks start files beside them and in the folder above.
  const folders = basename(hooks) === '_' ? [hooks, dirname(hooks)] : [hooks];
  if (isWithin(top, hooks))
    for (const folder of folders) for (const name of entries(folder)) addFile(join(folder, name));
  for (let script = texts.shift(); script !== undefined; script = texts.shift()) {
    const { folder, text } = script;
    const { files: named, scripts } = runs(script, top);
    for (const word of named)
      for (const path of pathsNamed(word, [top, folder])) if (isWithin(top, path)) addFile(path);
    for (const name of toolFiles(text, names)) {
      const path = join(top, name);
      for (const file of filesBelow(path)) addFile(file, file === path ? 'settings' : 'script');
    }
    for (const { name, ...entry } of packageEntries(text, scripts, packageJson)) {
      if (note(join(top, PACKAGE, name), entry.text)) texts.push({ folder: top, ...entry });
    }
  }
  return files;
}

function isWithin(top: string, path: string): boolean {
  try {
    const real = realpathSync(path);
    return real.startsWith(`${top}${sep}`) && !real.startsWith(join(top, '.git', sep));
  } catch {
    return false;
  }
}

function filesBelow(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? entries(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

function entries(folder: string): string[] {
  return tryOr([], () => readdirSync(folder).sort());
}

function readText(path: string): string {
  return tryOr('', () => readFileBytes(path).toString('utf8'));
}

/** Names without an extension or with one of these may be executable; scripts only process others. */
const RUNNABLE = /(?:^|\/)[^./][^./]*$|\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|[cm]?[jt]s)$/;

/** Returns paths that a program or file name may stand for, below these folders. */
export function pathsNamed(word: string, folders: readonly string[]): string[] {
  if (word.includes('..') || !RUNNABLE.test(word)) return [];
  const below = folders.map((folder) => `${folder}/${word.replace(/^\.?\//, '')}`);
  return word.includes('/') || word.includes('.')
    ? below
    : [...below, `${folders[0]}/node_modules/.bin/${word}`];
}

/** Settings files of programs that hooks call, at the top of a repository. */
const TOOLS: readonly { readonly called: RegExp; readonly files: RegExp; readonly entry: string }[] = [
  { called: /lefthook/, files: /^\.?lefthook.*$/, entry: 'lefthook' },
  { called: /pre[-_]commit/, files: /^\.pre-commit-config\.yaml$/, entry: 'pre-commit' },
  { called: /lint-staged/, files: /^(?:\.lintstagedrc.*|lint-staged\.config\..*)$/, entry: 'lint-staged' },
  { called: /commitlint/, files: /^(?:\.commitlintrc.*|commitlint\.config\..*)$/, entry: 'commitlint' },
  { called: /overcommit/, files: /^\.overcommit\.yml$/, entry: 'overcommit' },
];

export function toolFiles(text: string, names: readonly string[]): string[] {
  return TOOLS.filter(({ called }) => called.test(text)).flatMap(({ files }) =>
    names.filter((name) => files.test(name)),
  );
}

type PackageEntry = { readonly name: string; readonly text: string; readonly kind: 'script' | 'settings' };

export function packageEntries(
  text: string,
  called: readonly string[],
  packageJson: string,
): readonly PackageEntry[] {
  const json = parsed(packageJson);
  const scripts = Object.entries(json.scripts instanceof Object ? json.scripts : {});
  const tools = TOOLS.filter(({ called, entry }) => called.test(text) && json[entry] !== undefined);
  return [
    ...scripts
      .filter(([name]) => called.includes(name))
      .map(([name, script]) => ({ name: `scripts.${name}`, text: String(script), kind: 'script' as const })),
    ...tools.map(({ entry }) => ({
      name: entry,
      text: JSON.stringify(json[entry]),
      kind: 'settings' as const,
    })),
  ];
}

export function packageEntry(packageJson: string, name: string): string {
  const json = parsed(packageJson);
  if (!name.startsWith('scripts.')) return JSON.stringify(json[name]) ?? '';
  const scripts = json.scripts instanceof Object ? Object.entries(json.scripts) : [];
  return String(scripts.find(([key]) => key === name.slice('scripts.'.length))?.[1] ?? '');
}

function parsed(text: string): Record<string, unknown> {
  const json: unknown = tryOr(null, () => JSON.parse(text));
  return json instanceof Object ? { ...json } : {};
}
