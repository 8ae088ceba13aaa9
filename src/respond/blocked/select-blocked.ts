import picomatch from 'picomatch';
import { own } from 'ralph-kit/own';
import { BLOCK_REASONS } from '../../domain/records/state.ts';

export const MARKED_IN_TRACKER = 'marked_in_tracker';

type BlockedTask = { readonly id: string; readonly level: string; readonly reason: string };

/** ralph-gold's names for the reasons why a task is blocked. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  gate_failure: 'gate_failed',
  manual: MARKED_IN_TRACKER,
};

/**
 * Returns the blocked tasks that match a filter: an exact id, otherwise a level, otherwise a reason, otherwise a glob
 * over ids.
 */
export function selectBlocked(
  filter: string,
  blocked: readonly BlockedTask[],
  levels: readonly string[],
): readonly string[] {
  const fold = (name: string) => name.toLowerCase().replace(/[\s-]+/g, '_');
  const idsWhere = (is: (task: BlockedTask) => boolean) => blocked.filter(is).map(({ id }) => id);
  const exact = idsWhere(({ id }) => id === filter);
  if (exact.length > 0) return exact;
  const wanted = fold(filter);
  if (levels.some((level) => fold(level) === wanted)) return idsWhere(({ level }) => fold(level) === wanted);
  if (wanted === 'all') return idsWhere(() => true);
  const named = own(OLD_NAMES, wanted) ?? wanted;
  if ([...BLOCK_REASONS, MARKED_IN_TRACKER].some((reason) => reason === named))
    return idsWhere(({ reason }) => reason === named);
  const matches = globOf(filter);
  return idsWhere(({ id }) => matches(id));
}

/**
 * Returns whether an id matches a glob. An invalid pattern matches nothing. Slashes and leading dots are ordinary
 * characters.
 */
function globOf(pattern: string): (id: string) => boolean {
  try {
    const matches = picomatch(pattern.replaceAll('/', '∕'), { dot: true, bash: true, nonegate: true });
    return (id) => matches(id.replaceAll('/', '∕'));
  } catch {
    return () => false;
  }
}
