import { join, resolve } from 'node:path';
import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { containsHidden } from './home.ts';
import type { FindPath, VisiblePath } from './mounts.ts';
import { HOMES } from './outside.ts';

type Places = {
  readonly root: string;
  readonly home: string;
  /** Real paths of folders in which only listed paths are visible. */
  readonly empty: readonly string[];
  /** Absolute paths that no box shows, nor any folder that contains one. */
  readonly secret: readonly string[];
  /** Absolute paths that are visible anyway. */
  readonly visible: readonly string[];
};

/** Result of the search for links. `notShown`: absolute targets of links that stay hidden. */
type Linked = { readonly shown: readonly VisiblePath[]; readonly notShown: readonly string[] };

/** Number of folders followed in a chain of links. */
const ROUNDS = 3;
/** Upper limit of shown links: mounts take time, and projects link only a few folders. */
const MOST = 100;
/** A folder with one of these entries is a home folder. */
const OF_A_HOME = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
  '.netrc',
  '.git-credentials',
  '.bash_history',
];

/**
 * Finds hidden targets of links below a checkout's ignored files: a shared `node_modules`, a package developed beside
 * the project. Secret places and the folders around them are never shown.
 * @param entries Absolute paths of the ignored files and folders.
 */
export function visibleByLinks(entries: readonly string[], places: Places, findPath: FindPath): Linked {
  const { root, empty, visible } = places;
  const visiblePaths = new Map<string, VisiblePath>();
  const notShown: string[] = [];
  const isUnseen = (path: string) =>
    empty.some((one) => isAtOrBelow(path, one)) &&
    ![...visible, ...visiblePaths.keys()].some((one) => isAtOrBelow(path, one));
  let folders = entries;
  for (let round = 0; round < ROUNDS && folders.length > 0; round += 1) {
    const found = new Set<string>();
    for (const target of linksBelow(folders)) {
      const there = isAtOrBelow(target, root) ? null : findPath(target);
      if (there === null) continue;
      // A link back into the checkout stands for something that is visible anyway.
      const isBack = isAtOrBelow(there.realPath, root);
      const paths = isBack ? [target] : [target, there.realPath];
      const unseen = paths.filter(isUnseen);
      if (unseen.length === 0) continue;
      if (visiblePaths.size >= MOST || paths.some((path) => isSecret(path, places, findPath))) {
        notShown.push(target);
        continue;
      }
      for (const path of unseen) {
        visiblePaths.set(path, { path, from: there.realPath, kind: there.kind });
        if (!isBack) found.add(there.realPath);
      }
    }
    folders = [...found];
  }
  return { shown: [...visiblePaths.values()], notShown };
}

function isSecret(path: string, { home, empty, secret }: Places, findPath: FindPath): boolean {
  if (containsHidden(path, [...empty, ...secret]) || secret.some((one) => isAtOrBelow(path, one)))
    return true;
  // Dotfiles at the top of a home folder are settings, sign-ins and programs' data.
  if (isBelow(path, home) && path.slice(home.length + 1).startsWith('.')) return true;
  if (!isBelow(path, home) && HOMES.some((one) => isBelow(path, one))) return true;
  return OF_A_HOME.some((name) => findPath(join(path, name)) !== null);
}

const SCRIPT = 'exec "$0" "$@" -type l -printf "%h\\0%l\\0"';

/** Returns absolute targets of links at or below these paths, one step each. */
function linksBelow(paths: readonly string[]): string[] {
  const args = ['-0', '/bin/sh', '-c', SCRIPT, ownProgramPath('find')];
  const input = paths.map((path) => `${path}\0`).join('');
  const { stdout } = startSync('xargs', args, { input, encoding: 'utf8', maxBuffer: MOST_BYTES });
  const parts = (stdout ?? '').split('\0');
  const targets = parts.flatMap((folder, at) =>
    at % 2 === 0 && folder !== '' ? resolve(folder, parts[at + 1] ?? '') : [],
  );
  return [...new Set(targets)];
}

/** Output limit in bytes, enough for the links of hundreds of thousands of packages. */
const MOST_BYTES = 256 * 1024 * 1024;
