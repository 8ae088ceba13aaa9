import type { Change, ChangeSet } from '../domain/change-set.ts';
import { isAtOrBelow } from '../lib/paths.ts';

type SeenActions = {
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
  { writes, complete }: SeenActions,
): { readonly work: Change[]; readonly yours: Change[] } {
  if (writes === null || (!complete && writes.length === 0)) return { work: [...changes], yours: [] };
  const isWork = ({ path, oldPath }: Change) =>
    [path, ...(oldPath === null ? [] : [oldPath])].some(
      // A name in git's quoted form can't be compared.
      (one) => one.startsWith('"') || writes.some((written) => isAtOrBelow(one, written)),
    );
  return { work: changes.filter(isWork), yours: changes.filter((change) => !isWork(change)) };
}
