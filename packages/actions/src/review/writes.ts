import { type Action, changesFiles, MOST_PATHS, workingFolder } from 'ralph-kit/actions/action';
import { isBelow, placedPath } from 'ralph-kit/paths';
import { readsOnly } from '../effects/index.ts';

export type Writes = {
  readonly onCall: (action: Action) => void;
  /** The agent refused the call itself, so it wrote nothing. */
  readonly onRefused: (action: Action) => void;
  /** Paths relative to the root of the work tree; `null` when any file may have been written. */
  readonly paths: () => string[] | null;
};

/** @param realPath Follows links, so that each file has one path. */
export function openWrites(root: string, realPath: (path: string) => string): Writes {
  const top = realPath(root);
  const named = new Map<string, number>();
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

/** Returns the paths that an action writes or deletes, as it names them; `null` when they can be any. */
function pathsWritten(action: Action): string[] | null {
  const { kind, command, paths } = action;
  if (kind === 'system_command' && command !== null && readsOnly(command)) return [];
  if (kind === 'file_read' || kind === 'message' || kind === 'network_request') return [];
  if (!changesFiles(action) || command !== null) return null;
  const written = paths.filter(({ change }) => change !== 'read').map(({ path }) => path);
  // A path with `~` isn't a path of the repository.
  return written.length === 0 || written.some((path) => path.startsWith('~')) ? null : written;
}
