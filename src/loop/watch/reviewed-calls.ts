import type { Action } from 'ralph-kit/actions/action';
import { nameOf } from 'ralph-kit/paths';

export type ReviewedCalls = {
  readonly add: (action: Action) => void;
  /**
   * Returns whether an action was reviewed. With call ids, a review covers one call with the same content; without
   * them, also its repetitions.
   */
  readonly covers: (action: Action) => boolean;
};

export function openReviewedCalls(key: (action: Action) => string): ReviewedCalls {
  const asked = new Map<string, Action[]>();
  return {
    add: (action) => {
      const same = asked.get(key(action)) ?? [];
      asked.set(key(action), [...same, action]);
    },
    covers: (action) => {
      const found = key(action);
      const same = asked.get(found) ?? [];
      if (action.id === null || found !== action.id) return same.length > 0;
      if (!same.some((one) => isSameCall(one, action))) return false;
      // The requested and the modified form are the same call.
      asked.delete(found);
      return true;
    },
  };
}

/**
 * Returns whether two reports are about the same call. Only file names are compared, because hooks get normalized
 * paths.
 */
function isSameCall(asked: Action, seen: Action): boolean {
  if (asked.kind !== seen.kind) return false;
  if (asked.command !== null || seen.command !== null) return asked.command?.trim() === seen.command?.trim();
  const names = new Set(asked.paths.map(({ path }) => nameOf(path)));
  return seen.paths.every(({ path }) => names.has(nameOf(path)));
}
