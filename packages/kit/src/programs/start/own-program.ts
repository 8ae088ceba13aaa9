import { delimiter, isAbsolute, join } from 'node:path';
import { agentsReach } from './agents-reach.ts';
import { type Resolved, resolveExecutable } from './resolve-executable.ts';

const resolved = new Map<string, Resolved>();

/**
 * Finds a program that ralph itself runs (git, gh, perl), once per process: only in absolute folders of PATH that
 * agents can't write (`agents-reach.ts`). Gates and agents keep the whole PATH.
 */
export function ownProgram(name: string, folder: string = process.cwd()): Resolved {
  const key = [name, folder, process.env.PATH].join('\0');
  let found = resolved.get(key);
  if (found === undefined) {
    found = resolveOwn(name, folder);
    resolved.set(key, found);
  }
  return found;
}

function resolveOwn(name: string, folder: string): Resolved {
  const folders = process.env.PATH?.split(delimiter).filter(isAbsolute);
  for (const one of folders ?? [undefined]) {
    const found = resolveExecutable(name, '/', { PATH: one });
    if (found.kind === 'found' && agentsReach(found.path, folder) === null) return found;
  }
  const inside = resolveExecutable(name, folder, process.env);
  if (inside.kind === 'missing') return inside;
  const where = agentsReach(inside.path, folder) ?? "in a folder of PATH that isn't absolute";
  const why = `${name} is only at ${inside.path}, where an agent could replace it: ${where}`;
  return { kind: 'missing', code: 'ENOENT', why, fix: null, message: `${why}. Install it elsewhere.` };
}

/** Returns PATH without relative folders and those agents can write, for programs that start others by name. */
export function ownPath(folder: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter).filter(isAbsolute);
  return folders?.filter((one) => agentsReach(one, folder) === null).join(delimiter);
}

/** Returns a program's path for starting it; when missing, a path that doesn't exist, so that the start fails. */
export function ownProgramPath(name: string, folder?: string): string {
  const found = ownProgram(name, folder);
  return found.kind === 'found' ? found.path : join('/', 'nonexistent', name);
}
