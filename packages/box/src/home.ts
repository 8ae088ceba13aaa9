import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { TOOL_SETTINGS, TOOLCHAINS } from 'ralph-ecosystems';
import { plainText } from 'ralph-kit/files/plain-file';
import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { tryOr } from 'ralph-kit/try-or';
import { inHome } from './caches.ts';
import { namedPlaces } from './environment.ts';
import { findPathOnce } from './gather.ts';
import type { FindPath, VisiblePath } from './mounts.ts';
import { bareSettings } from './settings/bare-settings.ts';

const MAX_SETTINGS = 1024 * 1024;

export type HomeFacts = {
  /** Real paths of folders whose other contents are hidden. */
  readonly hidden: readonly string[];
  readonly home: string;
  readonly env: Environment;
  /** Absolute paths of programs and of files needed to run them. */
  readonly visible: readonly string[];
  /** Name patterns of the agent's own variables; files they name are visible. */
  readonly agentVariables: readonly string[];
};

export function isHidden(path: string, hidden: readonly string[]): boolean {
  return hidden.some((folder) => isBelow(path, folder));
}

/** Whether a folder is a hidden place or contains one. */
export function containsHidden(folder: string, hidden: readonly string[]): boolean {
  return hidden.some((one) => isAtOrBelow(one, folder));
}

/** Returns toolchains and paths named by PATH, variables and programs. Targets of links inside them aren't added. */
export function visibleInHome(
  { hidden, home, env, visible, agentVariables }: HomeFacts,
  findPath: FindPath,
): VisiblePath[] {
  const isOfHome = (path: string) => isHidden(path, hidden);
  const visiblePaths = new Map<string, VisiblePath>();
  const show = (path: string, kind: VisiblePath['kind'] | null) => {
    const found = findPath(path);
    if (found === null || containsHidden(found.realPath, hidden) || (kind !== null && found.kind !== kind))
      return;
    for (const at of [path, found.realPath].filter(isOfHome))
      visiblePaths.set(at, { path: at, from: found.realPath, kind: found.kind });
  };
  for (const name of TOOLCHAINS) {
    const path = inHome(name, home, env);
    const real = findPath(path)?.realPath;
    if (real !== undefined && (real === path || !isOfHome(real))) show(path, null);
  }
  const named = namedPlaces(env, agentVariables);
  for (const path of named.files) show(path, 'file');
  for (const path of named.folders) show(path, 'folder');
  for (const path of visible) show(path, null);
  for (const path of (env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const real = findPath(path)?.realPath;
    if (real === undefined || !(isOfHome(path) || isOfHome(real))) continue;
    show(path, 'folder');
    for (const folder of [path, real]) {
      const toolchain = toolchainAround(folder);
      if (toolchain !== null) show(toolchain, 'folder');
    }
    for (const packages of packagesOf(real, findPath)) if (isOfHome(packages)) show(packages, 'folder');
  }
  return [...visiblePaths.values()];
}

/** Returns PATH with real paths for hidden folders, so that links there lead to the same files as outside. */
export function pathInBox(path: string, hidden: readonly string[], findPath: FindPath): string {
  return path
    .split(delimiter)
    .map((one) => (isAbsolute(one) && isHidden(one, hidden) ? (findPath(one)?.realPath ?? one) : one))
    .join(delimiter);
}

/** Returns the toolchain's folder: `/home/u/.pyenv` for `/home/u/.pyenv/shims`. */
function toolchainAround(path: string): string | null {
  const name = TOOLCHAINS.find((one) => `${path}/`.includes(`/${one}/`));
  return name === undefined ? null : path.slice(0, `${path}/`.indexOf(`/${name}/`) + name.length + 1);
}

/** Returns package folders that links in a program folder lead to; npm keeps packages beside it. */
function packagesOf(folder: string, findPath: FindPath): string[] {
  const entries = tryOr([], () => readdirSync(folder, { withFileTypes: true }));
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const found = links.flatMap(({ name }) => {
    const [packages] = /^.*?\/node_modules(?=\/)/.exec(findPath(join(folder, name))?.realPath ?? '') ?? [];
    return packages ?? [];
  });
  return [...new Set(found)];
}

/** Reads your tool settings without credentials; `text` is `null` when a file can't be passed on. */
function settingsIn({ home, env }: Pick<HomeFacts, 'home' | 'env'>, findPath: FindPath) {
  return TOOL_SETTINGS.flatMap((name) => {
    const path = inHome(name, home, env);
    const found = findPath(path);
    if (found?.kind !== 'file') return [];
    const text = plainText(found.realPath, MAX_SETTINGS);
    return [{ path, text: text === null ? null : bareSettings(path, text) }];
  });
}

/** Returns tool settings that no box gets: their format can't be read, or they are code that signs in. */
export function settingsLeftOut(home: string, env: Environment): string[] {
  return settingsIn({ home, env }, findPathOnce()).flatMap(({ path, text }) => (text === null ? path : []));
}

/**
 * Writes tool settings without credentials into a folder of this launch.
 * @param placeOf Maps a path in the box to where it is written; `null` outside the box's home folders.
 * @param git Text of git's settings.
 * @returns Paths in the box.
 */
export function writeSettings(
  { home, env }: Pick<HomeFacts, 'home' | 'env'>,
  placeOf: (path: string) => string | null,
  git: string,
  findPath: FindPath,
): string[] {
  const texts = settingsIn({ home, env }, findPath);
  return [...texts, { path: join(home, '.gitconfig'), text: git }].flatMap(({ path, text }) => {
    const to = placeOf(path);
    if (to === null || text === null) return [];
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(to, text, { mode: 0o600 });
    return path;
  });
}
