import { join, resolve } from 'node:path';
import { isAtOrBelow, isBelow } from '../../lib/paths.ts';
import { ownProgramPath } from '../programs/start/own-program.ts';
import { startSync } from '../programs/start/start-program.ts';
import { isAround } from './home.ts';
import type { FindPath, Shown } from './mounts.ts';
import { HOMES } from './outside.ts';

type Places = {
  readonly root: string;
  readonly home: string;
  /** Folders of which nothing is seen but what is shown, links followed. */
  readonly empty: readonly string[];
  /** Absolute paths that a box never shows, nor any folder that holds one of them. */
  readonly secret: readonly string[];
  /** What programs see anyway. Absolute. */
  readonly seen: readonly string[];
};

/** `notShown`: absolute paths that links lead to, and that no box shows for that. */
type Linked = { readonly shown: readonly Shown[]; readonly notShown: readonly string[] };

/** Links that lead from one folder on to another one. */
const ROUNDS = 3;
/** Mounts take time, and a project links a few folders. */
const MOST = 100;
/** A folder with one of these is somebody's home. */
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
 * What links below ignored files and folders of a checkout lead to, as far as it lies where a box shows nothing: a shared
 * `node_modules`, an environment elsewhere, a package that is developed beside the project. No secret place is shown by a link, nor a folder
 * around one.
 *
 * @param entries Absolute paths of the ignored files and folders.
 */
export function shownByLinks(entries: readonly string[], places: Places, findPath: FindPath): Linked {
  const { root, empty, seen } = places;
  const shown = new Map<string, Shown>();
  const notShown: string[] = [];
  const isUnseen = (path: string) =>
    empty.some((one) => isAtOrBelow(path, one)) &&
    ![...seen, ...shown.keys()].some((one) => isAtOrBelow(path, one));
  let folders = entries;
  for (let round = 0; round < ROUNDS && folders.length > 0; round += 1) {
    const found = new Set<string>();
    for (const target of linksBelow(folders)) {
      const there = isAtOrBelow(target, root) ? null : findPath(target);
      if (there === null) continue;
      // A link that leads back stands for what is seen anyway.
      const isBack = isAtOrBelow(there.real, root);
      const paths = isBack ? [target] : [target, there.real];
      const unseen = paths.filter(isUnseen);
      if (unseen.length === 0) continue;
      if (shown.size >= MOST || paths.some((path) => isSecret(path, places, findPath))) {
        notShown.push(target);
        continue;
      }
      for (const path of unseen) {
        shown.set(path, { path, from: there.real, kind: there.kind });
        if (!isBack) found.add(there.real);
      }
    }
    folders = [...found];
  }
  return { shown: [...shown.values()], notShown };
}

function isSecret(path: string, { home, empty, secret }: Places, findPath: FindPath): boolean {
  if (isAround(path, [...empty, ...secret]) || secret.some((one) => isAtOrBelow(path, one))) return true;
  // At the top of a home folder, what begins with a dot is settings, sign-ins and what programs keep.
  if (isBelow(path, home) && path.slice(home.length + 1).startsWith('.')) return true;
  if (!isBelow(path, home) && HOMES.some((one) => isBelow(path, one))) return true;
  return OF_A_HOME.some((name) => findPath(join(path, name)) !== null);
}

const SCRIPT = 'exec "$0" "$@" -type l -printf "%h\\0%l\\0"';

/** Where links lead that lie at or below these paths: absolute, one step of each. */
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

/** Of links of hundreds of thousands of packages. */
const MOST_BYTES = 256 * 1024 * 1024;
