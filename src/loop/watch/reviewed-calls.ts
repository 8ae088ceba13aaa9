import type { Action } from '../../lib/actions/action.ts';
import { nameOf } from '../../lib/paths.ts';

/** The calls that got one answer, each for itself. */
export type ReviewedCalls = {
  readonly add: (action: Action) => void;
  /**
   * Whether a call of the stream is one of them. A number covers one call, and only with what was asked under
   * it; without numbers what was asked covers the same again.
   */
  readonly covers: (action: Action) => boolean;
};

/** @param key by what a call in the stream is found again among the reviewed actions. */
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
      // What was asked and what the answer made of it are one call.
      asked.delete(found);
      return true;
    },
  };
}

/** Whether two reports are of one call. Paths may be written otherwise: hooks get them made plain. */
function isSameCall(asked: Action, seen: Action): boolean {
  if (asked.kind !== seen.kind) return false;
  if (asked.command !== null || seen.command !== null) return asked.command?.trim() === seen.command?.trim();
  const names = new Set(asked.paths.map(({ path }) => nameOf(path)));
  return seen.paths.every(({ path }) => names.has(nameOf(path)));
}
