import { type Action, changesFiles, MOST_PATHS, workingFolder } from '../../lib/actions/action.ts';
import { isBelow, placedPath } from '../../lib/paths.ts';
import { readsOnly } from '../effects/index.ts';

/** Which files the actions of an attempt can have written. */
export type Writes = {
  readonly onCall: (action: Action) => void;
  /** The agent turned this call down itself: it wrote nothing. */
  readonly onRefused: (action: Action) => void;
  /** Relative to the top of the work tree; `null`: they can have written anything. */
  readonly paths: () => string[] | null;
};

/** @param realPath Follows links, so that a file is known by its own path whatever it was called. */
export function openWrites(root: string, realPath: (path: string) => string): Writes {
  const top = realPath(root);
  /** By path, how many calls name it. */
  const named = new Map<string, number>();
  /** How many calls can have written anything. */
  let anything = 0;
  const count = (action: Action, change: 1 | -1) => {
    const written = named.size > MOST_PATHS ? null : pathsWritten(action);
    if (written === null) anything += change;
    else
      for (const path of written) {
        const placed = placedPath(path, workingFolder(action, root), realPath, true);
        if (!isBelow(placed, top)) continue;
        const name = placed.slice(top.length + 1);
        named.set(name, (named.get(name) ?? 0) + change);
      }
  };
  return {
    onCall: (action) => count(action, 1),
    onRefused: (action) => count(action, -1),
    paths: () =>
      anything > 0 || named.size > MOST_PATHS
        ? null
        : [...named].filter(([, calls]) => calls > 0).map(([name]) => name),
  };
}

/** What an action writes or deletes, as it names it; `null`: it can be anything. */
function pathsWritten(action: Action): string[] | null {
  const { kind, command, paths } = action;
  if (kind === 'system_command' && command !== null && readsOnly(command)) return [];
  if (kind === 'file_read' || kind === 'message' || kind === 'network_request') return [];
  if (!changesFiles(action) || command !== null) return null;
  const written = paths.filter(({ change }) => change !== 'read').map(({ path }) => path);
  // What lies in your home folder is not in the repository by that name.
  return written.length === 0 || written.some((path) => path.startsWith('~')) ? null : written;
}
