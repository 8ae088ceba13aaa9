import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { lstatOrNull, namesIn, readFileBytes } from 'ralph-kit/files/plain-file';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { tryOr } from 'ralph-kit/try-or';
import type { FindPath } from './mounts.ts';

export const findPath: FindPath = (path) => {
  try {
    // Most paths don't exist, and an exception takes ten times as long as an answer.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    const realPath = realpathSync.native(path);
    return { realPath, kind: statSync(realPath).isDirectory() ? 'folder' : 'file' };
  } catch {
    return null;
  }
};

/** Returns a `findPath` for one launch that remembers answers: the same paths are asked for many times. */
export function findPathOnce(): FindPath {
  const seen = new Map<string, NonNullable<ReturnType<FindPath>>>();
  const inFolder = (path: string): ReturnType<FindPath> => {
    const stat = lstatOf(path);
    if (stat === null) return null;
    // A link leads anywhere, and a trailing slash follows it.
    if (stat.isSymbolicLink() || !isAbsolute(path) || path.endsWith(sep)) return findPath(path);
    const folder = once(dirname(path));
    const kind = stat.isDirectory() ? 'folder' : 'file';
    return folder === null ? null : { realPath: join(folder.realPath, basename(path)), kind };
  };
  const once: FindPath = (path) => {
    const found = seen.get(path) ?? inFolder(path);
    if (found !== null) seen.set(path, found);
    return found;
  };
  return once;
}

/** Depth limit; submodules are never nested deeper. */
const DEEPEST = 8;

export function gitFoldersIn(commonDir: string): string[] {
  const modules = (folder: string, left: number): string[] =>
    left === 0 ? [] : foldersIn(join(folder, 'modules')).flatMap((one) => [...nested(one, left), one]);
  // A submodule's name may contain slashes; folders without HEAD are parts of such names.
  const nested = (one: string, left: number): string[] =>
    lstatOf(join(one, 'HEAD')) !== null
      ? modules(one, left - 1)
      : left === 0
        ? []
        : foldersIn(one).flatMap((below) => [...nested(below, left - 1), below]);
  return [...modules(commonDir, DEEPEST), ...foldersIn(join(commonDir, 'worktrees'))];
}

/** Returns the `.git` files of a work tree and of submodules whose config names their work tree. */
export function gitFilesOf(root: string, gitFolders: readonly string[]): string[] {
  const trees = gitFolders.flatMap((folder) => {
    const set = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(textOf(join(folder, 'config')))?.[1];
    return set === undefined ? [] : [resolve(folder, set.replace(/^"(.*)"$/, '$1'))];
  });
  return [root, ...trees]
    .map((tree) => join(tree, '.git'))
    .filter((path) => lstatOf(path)?.isFile() === true);
}

/** Returns HEAD and index of other work trees that aren't writable; git's housekeeping writes their other files. */
export function filesOfOtherTrees(
  gitDir: string,
  commonDir: string,
  isWritable: (tree: string) => boolean,
): string[] {
  const treeOf = (folder: string) =>
    folder === commonDir
      ? dirname(commonDir)
      : dirname(resolve(folder, textOf(join(folder, 'gitdir')).trim()));
  return [commonDir, ...foldersIn(join(commonDir, 'worktrees'))]
    .filter((folder) => folder !== gitDir && !isWritable(treeOf(folder)))
    .flatMap((folder) => ['HEAD', 'index'].map((name) => join(folder, name)));
}

/** Returns a protected path that is a link, which could be redirected; `null` when there is none. */
export function linkInPlace(paths: readonly string[]): string | null {
  return paths.find((path) => lstatOf(path)?.isSymbolicLink() === true) ?? null;
}

/** Returns a protected file with hard links, through which it could be changed; folders are read one level deep. */
export function fileWithNames(paths: readonly string[]): { path: string; names: number } | null {
  for (const path of paths) {
    const stat = lstatOf(path);
    if (stat?.isFile() === true && stat.nlink > 1n) return { path, names: Number(stat.nlink) };
    if (stat?.isDirectory() !== true) continue;
    // A lock has a second name while it is being taken.
    const files = namesIn(path).filter((name) => !name.includes('.lock'));
    const found = fileWithNames(
      files.map((name) => join(path, name)).filter((one) => lstatOf(one)?.isFile()),
    );
    if (found !== null) return found;
  }
  return null;
}

/** Returns the absolute form of a `[box]` path: `~/…`, relative to the repository, or absolute. */
export function expandPath(path: string, root: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return resolve(root, path);
}

/** Variables that lead to sockets of key agents, buses, containers and terminals. */
const SOCKET_VARIABLES = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
] as const;

/** Returns the environment without variables that lead outside, except allowed sockets. */
export function withoutSockets(env: Environment, allowed: readonly string[]): Environment {
  const isAllowed = (value: string) => allowed.some((path) => value.includes(path));
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !SOCKET_VARIABLES.some((one) => one === name) || isAllowed(value),
    ),
  );
}

export function programFolders(env: Environment, ownProgram: string): string[] {
  const path = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  return [...new Set([...path, dirname(process.execPath), ownProgram])];
}

function foldersIn(folder: string): string[] {
  return tryOr([], () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name)),
  );
}

function lstatOf(path: string) {
  return tryOr(null, () => lstatOrNull(path));
}

function textOf(path: string): string {
  return tryOr('', () => readFileBytes(path).toString('utf8'));
}
