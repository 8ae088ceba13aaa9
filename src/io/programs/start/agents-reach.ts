import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { tryOr } from '../../../lib/try-or.ts';
import { homesFolder } from '../../files/homes-folder.ts';

/** What agents and gates never write in a state home: ralph's copies of modules and of itself. */
const KEPT_BY_RALPH = /^[^/]+\/(?:modules|program)\//;
/** Below the home folder: where tools of agents and gates put what they fetched. */
const CACHES = [
  ...['.npm', '.cache/pnpm', '.local/share/pnpm/store', '.cache/yarn', '.yarn/berry', '.cache/node-gyp'],
  ...[
    '.cache/node/corepack',
    '.cache/pip',
    '.cache/uv',
    '.cache/pre-commit',
    '.cargo/registry',
    '.cargo/git',
  ],
  ...['go/pkg', '.cache/go-build', '.m2', '.gradle'],
];

/**
 * Where agents or gates can write to a program, as the end of a sentence: ralph starts nothing of that outside of a box.
 * `null`: nowhere that ralph gives them.
 *
 * @param path Absolute; links are followed.
 * @param folder The repository around it counts.
 */
export function agentsReach(path: string, folder: string): string | null {
  const real = realOf(path);
  const home = belowOf(realOf(homesFolder()), real);
  if (home !== null) return KEPT_BY_RALPH.test(home) ? null : 'in what ralph keeps for agents and gates';
  const top = repositoryAround(folder);
  if (top !== null && belowOf(top, real) !== null) return 'in the repository';
  const own = realOf(homedir());
  return CACHES.some((cache) => belowOf(join(own, cache), real) !== null) ? 'in a cache' : null;
}

/** A path within a folder, `''` for the folder itself; `null`: outside. */
function belowOf(folder: string, path: string): string | null {
  if (path === folder) return '';
  return path.startsWith(`${folder}${sep}`) ? path.slice(folder.length + 1) : null;
}

/** The nearest folder above that holds a repository. */
function repositoryAround(folder: string): string | null {
  for (let at = realOf(folder); ; at = dirname(at)) {
    if (isGitFolder(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/** An empty folder is none: sandboxes of agents leave such in the temporary folder. Of a work tree it is a file. */
function isGitFolder(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isDirectory() || readdirSync(path).length > 0);
}

function realOf(path: string): string {
  return tryOr(path, () => realpathSync(path));
}
