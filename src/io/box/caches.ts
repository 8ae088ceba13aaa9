import { isAbsolute, join } from 'node:path';
import { HOME_CACHES } from '../../ecosystems/index.ts';
import { namesIn } from '../files/plain-file.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import type { FindPath } from './mounts.ts';

/** Variables that name the place of a cache. */
export const CACHE_VARIABLES = HOME_CACHES.flatMap(({ variable }) => variable ?? []);

/** Absolute paths: where it is asked for, and where that leads. */
export type CacheThere = { readonly path: string; readonly real: string; readonly isReadable: boolean };

/** The caches that have something in them. */
export function cachesThere(home: string, env: Environment, findPath: FindPath): CacheThere[] {
  return HOME_CACHES.flatMap(({ variable, folder, names = [''], isReadable = false }) => {
    const set = variable === null ? undefined : env[variable];
    const at =
      set !== undefined && isAbsolute(set) ? set : folder === null ? null : inHome(folder, home, env);
    return names.flatMap((name) => {
      const path = at === null ? '' : join(at, name);
      const found = at === null ? null : findPath(path);
      if (found?.kind !== 'folder' || namesIn(found.real).length === 0) return [];
      return { path, real: found.real, isReadable };
    });
  });
}

/** The folders that variables may move out of the home folder, each with what it is called in there. */
export const XDG: readonly (readonly [variable: string, folder: string])[] = [
  ['XDG_CACHE_HOME', '.cache'],
  ['XDG_CONFIG_HOME', '.config'],
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_STATE_HOME', '.local/state'],
];

/** Where a path below the home folder lies, as tools look for it. */
export function inHome(path: string, home: string, env: Environment): string {
  for (const [variable, folder] of XDG) {
    const set = env[variable];
    if (set !== undefined && isAbsolute(set) && path.startsWith(`${folder}/`))
      return join(set, path.slice(folder.length + 1));
  }
  return join(home, path);
}
