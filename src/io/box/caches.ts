import { isAbsolute, join } from 'node:path';
import { namesIn } from '../files/plain-file.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import type { FindPath } from './mounts.ts';

/** Where a tool keeps what it fetched. */
type Cache = {
  /** Names another place for `folder`. */
  readonly variable: string | null;
  /** Below the home folder; `null`: only where the variable says. */
  readonly folder: string | null;
  /** Which folders in it; absent: all of it. */
  readonly names?: readonly string[];
  /** Its tool reads it although nothing can be written there. */
  readonly isReadable?: true;
};

const CACHES: readonly Cache[] = [
  { variable: 'npm_config_cache', folder: '.npm' },
  { variable: 'npm_config_devdir', folder: '.cache/node-gyp' },
  { variable: 'COREPACK_HOME', folder: '.cache/node/corepack', isReadable: true },
  { variable: 'PNPM_HOME', folder: '.local/share/pnpm', names: ['store'] },
  { variable: null, folder: '.cache/pnpm' },
  { variable: 'YARN_CACHE_FOLDER', folder: '.cache/yarn' },
  { variable: 'YARN_GLOBAL_FOLDER', folder: '.yarn/berry' },
  { variable: null, folder: '.bun/install/cache' },
  { variable: 'DENO_DIR', folder: '.cache/deno' },
  { variable: 'PIP_CACHE_DIR', folder: '.cache/pip' },
  { variable: 'UV_CACHE_DIR', folder: '.cache/uv' },
  { variable: 'POETRY_CACHE_DIR', folder: '.cache/pypoetry' },
  { variable: 'PRE_COMMIT_HOME', folder: '.cache/pre-commit' },
  { variable: 'CARGO_HOME', folder: '.cargo', names: ['registry', 'git'] },
  { variable: 'GOPATH', folder: 'go', names: ['pkg'] },
  { variable: 'GOMODCACHE', folder: null },
  { variable: 'GOCACHE', folder: '.cache/go-build' },
  { variable: null, folder: '.m2', names: ['repository', 'wrapper'] },
  { variable: 'GRADLE_USER_HOME', folder: '.gradle', names: ['caches', 'wrapper', 'jdks', 'native'] },
  { variable: 'NUGET_PACKAGES', folder: '.nuget/packages' },
  { variable: 'COMPOSER_CACHE_DIR', folder: '.cache/composer' },
  { variable: 'CCACHE_DIR', folder: '.cache/ccache' },
  { variable: 'PLAYWRIGHT_BROWSERS_PATH', folder: '.cache/ms-playwright', isReadable: true },
  { variable: 'CYPRESS_CACHE_FOLDER', folder: '.cache/Cypress', isReadable: true },
  { variable: 'PUPPETEER_CACHE_DIR', folder: '.cache/puppeteer', isReadable: true },
  { variable: 'ELECTRON_CACHE', folder: '.cache/electron' },
];

/** Variables that name the place of a cache. */
export const CACHE_VARIABLES = CACHES.flatMap(({ variable }) => variable ?? []);

/** Absolute paths: where it is asked for, and where that leads. */
export type CacheThere = { readonly path: string; readonly real: string; readonly isReadable: boolean };

/** The caches that have something in them. */
export function cachesThere(home: string, env: Environment, findPath: FindPath): CacheThere[] {
  return CACHES.flatMap(({ variable, folder, names = [''], isReadable = false }) => {
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
