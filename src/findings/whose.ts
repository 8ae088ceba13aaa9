import type { Change, ChangeSet } from '../domain/change-set.ts';
import { isAtOrBelow } from '../lib/paths.ts';

type SeenActions = {
  /** `openWrites(…).paths()` of the attempt. */
  readonly writes: readonly string[] | null;
  /** Every action of the agent was seen. Of another one nothing is known where it names no write. */
  readonly complete: boolean;
  /** Files of yours that you edited meanwhile, which no action can have changed. */
  readonly edited: readonly string[];
};

/** Whether the agent can have written a path; an agent that names no write counts as one that can. */
export function canHaveWritten(path: string, { writes, complete }: Omit<SeenActions, 'edited'>): boolean {
  if (writes === null || (!complete && writes.length === 0)) return true;
  // A name in git's quoted form can't be compared.
  return path.startsWith('"') || writes.some((written) => isAtOrBelow(path, written));
}

/**
 * Whose the changes of an attempt are: `work` where an action of the agent can have made them, `yours` where none did.
 * Both names of a renamed file.
 */
export function whoseChanges(
  { changes }: Pick<ChangeSet, 'changes'>,
  seen: SeenActions,
): { readonly work: Change[]; readonly yours: Change[] } {
  const isWork = ({ path, oldPath }: Change) =>
    !seen.edited.includes(path) &&
    [path, ...(oldPath === null ? [] : [oldPath])].some((one) => canHaveWritten(one, seen));
  return { work: changes.filter(isWork), yours: changes.filter((change) => !isWork(change)) };
}
