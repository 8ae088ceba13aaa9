import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { namesIn } from '../names-in.ts';
import { ownProgram } from '../proc/launch/own-program.ts';
import type { Environment } from '../proc/launch/running.ts';
import type { Look, Mount, StandIn } from './mounts.ts';

/** Where a tool keeps what it fetched. Names are below `folder`; `''` is the folder itself. */
type Cache = {
  /** Makes the folder: in a read-only home folder, the tool couldn't. */
  readonly program: string;
  /** Names another place for `folder`. */
  readonly variable: string | null;
  /** `~` is the home folder; `null`: only where the variable says. */
  readonly folder: string | null;
  /** Data that is fetched again where it is gone: writable. */
  readonly data?: readonly string[];
  /** Programs, and what changes what the tool does: one written here would run outside. A folder of ralph's stands there. */
  readonly own?: readonly string[];
  /** So are these, but yours can be read where there is something in it. */
  readonly ownWhereEmpty?: readonly string[];
  /** Yours in the folder of ralph's. */
  readonly settings?: readonly string[];
};

const CACHES: readonly Cache[] = [
  { program: 'npm', variable: 'npm_config_cache', folder: '~/.npm', data: ['_cacache'], own: [''] },
  { program: 'npm', variable: 'npm_config_devdir', folder: '~/.cache/node-gyp', ownWhereEmpty: [''] },
  { program: 'corepack', variable: 'COREPACK_HOME', folder: '~/.cache/node/corepack', ownWhereEmpty: [''] },
  { program: 'pnpm', variable: 'PNPM_HOME', folder: '~/.local/share/pnpm', data: ['store'] },
  { program: 'pnpm', variable: null, folder: '~/.cache/pnpm', data: [''], own: ['dlx'] },
  { program: 'yarn', variable: 'YARN_CACHE_FOLDER', folder: '~/.cache/yarn', data: [''] },
  { program: 'yarn', variable: 'YARN_GLOBAL_FOLDER', folder: '~/.yarn/berry', data: [''] },
  { program: 'pip', variable: 'PIP_CACHE_DIR', folder: '~/.cache/pip', data: [''] },
  { program: 'uv', variable: 'UV_CACHE_DIR', folder: '~/.cache/uv', data: [''] },
  { program: 'pre-commit', variable: 'PRE_COMMIT_HOME', folder: '~/.cache/pre-commit', ownWhereEmpty: [''] },
  { program: 'cargo', variable: 'CARGO_HOME', folder: '~/.cargo', data: ['registry', 'git'] },
  { program: 'go', variable: 'GOPATH', folder: '~/go', data: ['pkg'] },
  { program: 'go', variable: 'GOMODCACHE', folder: null, data: [''] },
  { program: 'go', variable: 'GOCACHE', folder: '~/.cache/go-build', data: [''] },
  // Their wrappers fetch them where there is only Java.
  { program: 'java', variable: null, folder: '~/.m2', data: ['repository'], ownWhereEmpty: ['wrapper'] },
  {
    ...{ program: 'java', variable: 'GRADLE_USER_HOME', folder: '~/.gradle', data: ['caches'], own: [''] },
    settings: ['gradle.properties', 'init.gradle', 'init.gradle.kts', 'init.d'],
  },
];

export type CachesThere = {
  /** Absolute, links followed as everywhere. */
  readonly writable: readonly string[];
  readonly standIns: readonly (StandIn & { readonly from: string })[];
  readonly settings: readonly Omit<Mount, 'access'>[];
};

/**
 * The caches that tools have here.
 *
 * @param kept Where ralph's own folders lie.
 * @param makes Whether folders are made that a tool which is installed here would make.
 */
export function cachesThere(
  home: string,
  env: Environment,
  kept: string,
  makes: boolean,
  look: Look,
): CachesThere {
  const found = CACHES.flatMap((cache) => {
    const folder = folderOf(cache, home, env);
    if (folder === null) return [];
    const isWanted = makes && (look(folder) !== null || ownProgram(cache.program).kind === 'found');
    const there = (name: string) => {
      const path = join(folder, name);
      return (look(path) ?? (isWanted && make(path) ? look(path) : null))?.real ?? [];
    };
    const standIn = (path: string) => {
      const from = join(kept, path.replaceAll('/', '-'));
      return make(from) ? { path, from } : [];
    };
    const { data = [], own = [], ownWhereEmpty = [], settings = [] } = cache;
    return {
      writable: data.flatMap(there),
      standIns: makes
        ? [...own.flatMap(there), ...ownWhereEmpty.flatMap(there).filter(isEmpty)].flatMap(standIn)
        : [],
      settings: settings.flatMap((name): Omit<Mount, 'access'>[] => {
        const path = join(folder, name);
        const theirs = look(path);
        return theirs === null ? [] : [{ path, from: theirs.real, kind: theirs.kind }];
      }),
    };
  });
  return {
    writable: found.flatMap(({ writable }) => writable),
    standIns: found.flatMap(({ standIns }) => standIns),
    settings: found.flatMap(({ settings }) => settings),
  };
}

function folderOf({ variable, folder }: Cache, home: string, env: Environment): string | null {
  const set = variable === null ? undefined : env[variable];
  if (set !== undefined && isAbsolute(set)) return set;
  if (folder === null) return null;
  for (const [start, base] of [
    ['~/.cache/', env.XDG_CACHE_HOME],
    ['~/.local/share/', env.XDG_DATA_HOME],
  ] as const)
    if (base !== undefined && isAbsolute(base) && folder.startsWith(start))
      return join(base, folder.slice(start.length));
  return join(home, folder.slice(2));
}

function isEmpty(folder: string): boolean {
  return namesIn(folder).length === 0;
}

function make(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}
