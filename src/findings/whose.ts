import { type Action, changesFiles, MOST_PATHS } from '../domain/action.ts';
import type { Change, ChangeSet } from '../domain/change-set.ts';
import { looksOnly } from '../effects/index.ts';
import { isAtOrBelow, isBelow, placedPath } from '../lib/paths.ts';

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

type Told = {
  /** `openWrites(…).paths()` of the attempt. */
  readonly writes: readonly string[] | null;
  /** Every action of the agent was seen. Of another one nothing is known where it names no write. */
  readonly complete: boolean;
};

/**
 * Whose the changes of an attempt are: `work` where an action of the agent can have made them, `yours` where none did.
 * Both names of a renamed file.
 */
export function whoseChanges(
  { changes }: Pick<ChangeSet, 'changes'>,
  { writes, complete }: Told,
): { readonly work: Change[]; readonly yours: Change[] } {
  if (writes === null || (!complete && writes.length === 0)) return { work: [...changes], yours: [] };
  const isWork = ({ path, oldPath }: Change) =>
    [path, ...(oldPath === null ? [] : [oldPath])].some(
      // A name in git's quoted form can't be compared.
      (one) => one.startsWith('"') || writes.some((written) => isAtOrBelow(one, written)),
    );
  return { work: changes.filter(isWork), yours: changes.filter((change) => !isWork(change)) };
}
