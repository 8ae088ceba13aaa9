import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { TOOL_SETTINGS, TOOLCHAINS } from '../../ecosystems/index.ts';
import { isAtOrBelow, isBelow } from '../../lib/paths.ts';
import { tryOr } from '../../lib/try-or.ts';
import { plainText } from '../files/plain-file.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { inHome } from './caches.ts';
import { namedPlaces } from './environment.ts';
import { findPathOnce } from './gather.ts';
import type { FindPath, Shown } from './mounts.ts';
import { bareSettings } from './settings/bare-settings.ts';

const MAX_SETTINGS = 1024 * 1024;

export type HomeFacts = {
  /** Folders of which nothing else is seen, links followed. */
  readonly hidden: readonly string[];
  readonly home: string;
  /** As it is passed on. */
  readonly env: Environment;
  /** Programs, and what else is needed to run them. Absolute. */
  readonly visible: readonly string[];
  /** Patterns of the agent's own variables: files that they name are seen. */
  readonly own: readonly string[];
};

/** Whether a path lies in a hidden place. */
export function isHidden(path: string, hidden: readonly string[]): boolean {
  return hidden.some((folder) => isBelow(path, folder));
}

/** Whether something of a hidden place lies in a folder, or is it. */
export function isAround(folder: string, hidden: readonly string[]): boolean {
  return hidden.some((one) => isAtOrBelow(one, folder));
}

/** Toolchains, and what PATH, variables and programs name. What a link in those leads to isn't seen for that. */
export function shownOfHome({ hidden, home, env, visible, own }: HomeFacts, findPath: FindPath): Shown[] {
  const isOfHome = (path: string) => isHidden(path, hidden);
  const shown = new Map<string, Shown>();
  const show = (path: string, kind: Shown['kind'] | null) => {
    const found = findPath(path);
    if (found === null || isAround(found.real, hidden) || (kind !== null && found.kind !== kind)) return;
    for (const at of [path, found.real].filter(isOfHome))
      shown.set(at, { path: at, from: found.real, kind: found.kind });
  };
  for (const name of TOOLCHAINS) {
    const path = inHome(name, home, env);
    const real = findPath(path)?.real;
    if (real !== undefined && (real === path || !isOfHome(real))) show(path, null);
  }
  const named = namedPlaces(env, own);
  for (const path of named.files) show(path, 'file');
  for (const path of named.folders) show(path, 'folder');
  for (const path of visible) show(path, null);
  for (const path of (env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const real = findPath(path)?.real;
    if (real === undefined || !(isOfHome(path) || isOfHome(real))) continue;
    show(path, 'folder');
    for (const folder of [path, real]) {
      const toolchain = toolchainAround(folder);
      if (toolchain !== null) show(toolchain, 'folder');
    }
    for (const packages of packagesOf(real, findPath)) if (isOfHome(packages)) show(packages, 'folder');
  }
  return [...shown.values()];
}

/** PATH with folders by their real names where the ones it has lie in what is hidden: links from there lead on as outside. */
export function pathInBox(path: string, hidden: readonly string[], findPath: FindPath): string {
  return path
    .split(delimiter)
    .map((one) => (isAbsolute(one) && isHidden(one, hidden) ? (findPath(one)?.real ?? one) : one))
    .join(delimiter);
}

/** `/home/u/.pyenv` of `/home/u/.pyenv/shims`. */
function toolchainAround(path: string): string | null {
  const name = TOOLCHAINS.find((one) => `${path}/`.includes(`/${one}/`));
  return name === undefined ? null : path.slice(0, `${path}/`.indexOf(`/${name}/`) + name.length + 1);
}

/** Folders of packages that links in a folder of programs lead to: npm keeps them beside it. */
function packagesOf(folder: string, findPath: FindPath): string[] {
  const entries = tryOr([], () => readdirSync(folder, { withFileTypes: true }));
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const found = links.flatMap(({ name }) => {
    const [packages] = /^.*?\/node_modules(?=\/)/.exec(findPath(join(folder, name))?.real ?? '') ?? [];
    return packages ?? [];
  });
  return [...new Set(found)];
}

/** Your settings of tools that are there, without what signs in; `null`: nothing of them can be passed on. */
function settingsIn({ home, env }: Pick<HomeFacts, 'home' | 'env'>, findPath: FindPath) {
  return TOOL_SETTINGS.flatMap((name) => {
    const path = inHome(name, home, env);
    const found = findPath(path);
    if (found?.kind !== 'file') return [];
    const text = plainText(found.real, MAX_SETTINGS);
    return [{ path, text: text === null ? null : bareSettings(path, text) }];
  });
}

/** Your settings of tools that no box has, as they can't be read by their own format, or are a program that signs in. */
export function settingsLeftOut(home: string, env: Environment): string[] {
  return settingsIn({ home, env }, findPathOnce()).flatMap(({ path, text }) => (text === null ? path : []));
}

/**
 * Writes settings of tools, as far as they don't sign in, into a folder of this launch alone.
 *
 * @param placeOf Where a path of the box is written; `null`: it lies in no home folder of the box.
 * @param git Text of git's settings.
 * @returns Their paths in the box.
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
