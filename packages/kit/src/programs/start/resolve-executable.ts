import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { At } from '../../files/real-path.ts';
import { shellQuote } from '../../shell-quote.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

export type Resolved =
  | { readonly kind: 'found'; readonly path: string }
  | {
      readonly kind: 'missing';
      readonly code: 'ENOENT' | 'EACCES';
      /** Program and problem, without a full stop; `message` adds what helps. */
      readonly why: string;
      /** Command that helps; `null` without one. */
      readonly fix: string | null;
      readonly message: string;
    };

/** Finds a missing program before the start, not by exit code 127. @param at Maps seen paths to real ones. */
export function resolveExecutable(
  name: string,
  cwd: string,
  env: Environment,
  at: At = (path) => path,
): Resolved {
  if (!(statSync(at(cwd), { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    return notFound(`${name} was not started: the folder ${cwd} does not exist`);
  }
  const path = env.PATH ?? DEFAULT_PATH;
  const candidates = name.includes('/')
    ? [resolve(cwd, name)]
    : path
        .split(delimiter)
        .map((folder) => (isAbsolute(folder) ? join(folder, name) : resolve(cwd, folder, name)));

  let denied: string | null = null;
  for (const candidate of candidates) {
    const access = accessTo(at(candidate));
    if (access === 'executable') return { kind: 'found', path: candidate };
    if (access === 'denied') denied ??= candidate;
  }
  if (denied !== null) {
    const fix = `chmod +x ${shellQuote(name.includes('/') ? name : denied)}`;
    const why = `${denied} may not be executed`;
    const message = `${why}. Make it executable (${fix}) or name another program.`;
    return { kind: 'missing', code: 'EACCES', why, fix, message };
  }
  const why = name.includes('/') ? `${candidates[0]} was not found` : `${name} was not found in PATH`;
  return notFound(why, ' Install it, or correct the command.');
}

export function isInstalled(name: string, cwd: string): boolean {
  return resolveExecutable(name, cwd, process.env).kind === 'found';
}

function notFound(why: string, hint = ''): Resolved {
  return { kind: 'missing', code: 'ENOENT', why, fix: null, message: `${why}.${hint}` };
}

function accessTo(path: string): 'executable' | 'denied' | 'absent' {
  try {
    if (!statSync(path).isFile()) return 'absent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'denied' : 'absent';
  }
  try {
    accessSync(path, constants.X_OK);
    return 'executable';
  } catch {
    return 'denied';
  }
}
