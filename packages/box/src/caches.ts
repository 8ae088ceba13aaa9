import { isAbsolute, join } from 'node:path';
import { HOME_CACHES } from 'ralph-ecosystems';
import { namesIn } from 'ralph-kit/files/plain-file';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import type { FindPath } from './mounts.ts';

export const CACHE_VARIABLES = HOME_CACHES.flatMap(({ variable }) => variable ?? []);

/** A cache folder: the path that tools use, and its real path. */
export type CacheFolder = { readonly path: string; readonly realPath: string; readonly isReadable: boolean };

export function existingCaches(home: string, env: Environment, findPath: FindPath): CacheFolder[] {
  return HOME_CACHES.flatMap(({ variable, folder, names = [''], isReadable = false }) => {
    const set = variable === null ? undefined : env[variable];
    const at =
      set !== undefined && isAbsolute(set) ? set : folder === null ? null : inHome(folder, home, env);
    return names.flatMap((name) => {
      const path = at === null ? '' : join(at, name);
      const found = at === null ? null : findPath(path);
      if (found?.kind !== 'folder' || namesIn(found.realPath).length === 0) return [];
      return { path, realPath: found.realPath, isReadable };
    });
  });
}

/** Base folders of the XDG specification with their defaults below the home folder. */
export const XDG: readonly (readonly [variable: string, folder: string])[] = [
  ['XDG_CACHE_HOME', '.cache'],
  ['XDG_CONFIG_HOME', '.config'],
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_STATE_HOME', '.local/state'],
];

/** Returns where tools look for a path below the home folder, as XDG variables may move it. */
export function inHome(path: string, home: string, env: Environment): string {
  for (const [variable, folder] of XDG) {
    const set = env[variable];
    if (set !== undefined && isAbsolute(set) && path.startsWith(`${folder}/`))
      return join(set, path.slice(folder.length + 1));
  }
  return join(home, path);
}
