import { delimiter, isAbsolute, join } from 'node:path';
import { agentsReach } from './agents-reach.ts';
import { type Resolved, resolveExecutable } from './resolve-executable.ts';

const resolved = new Map<string, Resolved>();

/**
 * Finds a program that ralph itself calls (git, gh, perl), once per process: only absolute folders of PATH count, and nothing
 * that agents can write to (`agents-reach.ts`). Your gates and agents keep the whole PATH.
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

/** PATH for a program that starts others by their names: without relative folders, and those that agents can write to. */
export function ownPath(folder: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter).filter(isAbsolute);
  return folders?.filter((one) => agentsReach(one, folder) === null).join(delimiter);
}

/** The same for what is then started: where it isn't there, a path at which nothing is, so that the start fails. */
export function ownProgramPath(name: string, folder?: string): string {
  const found = ownProgram(name, folder);
  return found.kind === 'found' ? found.path : join('/', 'nonexistent', name);
}
