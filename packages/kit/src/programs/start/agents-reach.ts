import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { homesFolder } from '../../files/homes-folder.ts';
import { tryOr } from '../../try-or.ts';

/** Parts of a state home that agents and gates can't write: ralph's copies of modules and of itself. */
const KEPT_BY_RALPH = /^[^/]+\/(?:modules|program)\//;
/** Download folders of agents' and gates' tools, below the home folder. */
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
 * Returns where agents or gates can write to a program, as the end of a sentence; `null` when nowhere. ralph starts
 * no such program outside a box.
 * @param path Absolute; links are followed.
 * @param folder The repository around this folder counts.
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

/** Returns the path within a folder, `''` for the folder itself; `null` outside. */
function belowOf(folder: string, path: string): string | null {
  if (path === folder) return '';
  return path.startsWith(`${folder}${sep}`) ? path.slice(folder.length + 1) : null;
}

function repositoryAround(folder: string): string | null {
  for (let at = realOf(folder); ; at = dirname(at)) {
    if (isGitFolder(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/** Agents' sandboxes leave empty `.git` folders in temporary folders. A linked work tree has a `.git` file. */
function isGitFolder(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isDirectory() || readdirSync(path).length > 0);
}

function realOf(path: string): string {
  return tryOr(path, () => realpathSync(path));
}
