import { readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { type Resolved, resolveExecutable } from './resolve-executable.ts';

const resolved = new Map<string, Resolved>();

/**
 * Finds a program that ralph itself calls (git, gh, perl), once per process. An agent can write into the repository
 * around `folder`, so only absolute folders of PATH outside of it count. Your gates and agents keep the whole PATH.
 */
export function ownProgram(name: string, folder: string = process.cwd()): Resolved {
  const key = [name, folder, process.env.PATH].join('\0');
  let found = resolved.get(key);
  if (found === undefined) {
    const trusted = outsideOf(repositoryAround(folder), process.env.PATH);
    found = resolveExecutable(name, '/', { PATH: trusted });
    if (found.kind === 'missing') found = explained(name, folder, found);
    resolved.set(key, found);
  }
  return found;
}

function explained(name: string, folder: string, missing: Resolved): Resolved {
  const inside = resolveExecutable(name, folder, process.env);
  if (inside.kind === 'missing') return missing;
  const message = `${name} is only at ${inside.path}, where an agent could replace it: in the repository, or in a folder of PATH that isn't absolute. Install it elsewhere.`;
  return { kind: 'missing', code: 'ENOENT', message };
}

/** The same for what is then started: where it isn't there, a path at which nothing is, so that the start fails. */
export function ownProgramPath(name: string, folder?: string): string {
  const found = ownProgram(name, folder);
  return found.kind === 'found' ? found.path : join('/', 'nonexistent', name);
}

function outsideOf(top: string | null, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const isOutside = (folder: string) => top === null || !`${real(folder)}${sep}`.startsWith(`${top}${sep}`);
  // An empty list would mean the working directory: one that holds nothing means no program.
  const trusted = path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(folder));
  return trusted.join(delimiter) || join('/', 'nonexistent');
}

/** The nearest folder above that holds a repository. */
function repositoryAround(folder: string): string | null {
  for (let at = real(folder); ; at = dirname(at)) {
    if (isGitFolder(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/** An empty folder is none: sandboxes of agents leave such in the temporary folder. Of a work tree it is a file. */
function isGitFolder(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (!stat.isDirectory() || readdirSync(path).length > 0);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
