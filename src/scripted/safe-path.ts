import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';

/** An action that cannot be done; its message is for the writer of the scenario. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

/**
 * The absolute path of a scenario's path, which must stay inside the working directory: in its text, and after the
 * symbolic links of its folders. `follow`: the file itself may be a link too, and what it points to counts.
 * @throws ActionError when it leaves.
 */
export function safePath(path: string, follow: boolean): string {
  const root = realpathSync('.');
  const full = resolve(root, path);
  if (isAbsolute(path) || !within(root, full)) throw outside(path);
  const existing = nearestExisting(follow ? full : dirname(full));
  if (full !== root && !within(root, realOrThrow(existing, path))) throw outside(path);
  return full;
}

/** A dangling link counts as existing: writing to it would make its target. */
function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;
}

function realOrThrow(path: string, shown: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw outside(shown);
  }
}

function within(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): ActionError {
  return new ActionError(`${path} leaves the working directory: give a path inside of it`);
}
