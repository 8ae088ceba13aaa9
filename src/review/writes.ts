import { type Action, changesFiles, MOST_PATHS } from '../domain/action.ts';
import { looksOnly } from '../effects/index.ts';
import { isBelow, placedPath } from '../lib/paths.ts';

/** Which files the actions of an attempt can have written. */
export type Writes = {
  readonly onCall: (action: Action) => void;
  /** Relative to the top of the work tree; `null`: they can have written anything. */
  readonly paths: () => string[] | null;
};

/** @param realPath Follows links, so that a file is known by its own path whatever it was called. */
export function openWrites(root: string, realPath: (path: string) => string): Writes {
  const top = realPath(root);
  const named = new Set<string>();
  let anything = false;
  return {
    onCall: (action) => {
      const written = anything ? [] : pathsWritten(action);
      if (written === null || named.size > MOST_PATHS) anything = true;
      else
        for (const path of written) {
          const placed = placedPath(path, folderOf(action, root), realPath, true);
          if (isBelow(placed, top)) named.add(placed.slice(top.length + 1));
        }
    },
    paths: () => (anything ? null : [...named]),
  };
}

function folderOf({ cwd }: Action, root: string): string {
  if (cwd === null) return root;
  return cwd.startsWith('/') ? cwd : `${root}/${cwd}`;
}

/** What an action writes or deletes, as it names it; `null`: it can be anything. */
function pathsWritten(action: Action): string[] | null {
  const { kind, command, paths } = action;
  if (kind === 'system_command' && command !== null && looksOnly(command)) return [];
  if (kind === 'file_read' || kind === 'message' || kind === 'network_request') return [];
  if (!changesFiles(action) || command !== null) return null;
  const written = paths.filter(({ change }) => change !== 'read').map(({ path }) => path);
  // What lies in your home folder is not in the repository by that name.
  return written.length === 0 || written.some((path) => path.startsWith('~')) ? null : written;
}
