import type { LoopEvent } from '../../domain/loop-event.ts';
import type { Clock } from '../../domain/ports.ts';
import { type Orphan, reapOrphans } from '../../io/proc/index.ts';

/** So many are named. */
const NAMED = 5;

/** Ends what a killed run of this repository left alive, and says so. The run lock is held. */
export async function endOrphans(
  root: string,
  clock: Clock,
  emit: (event: LoopEvent) => void,
): Promise<void> {
  const { found, survivors } = await reapOrphans(root, clock);
  if (found.length > 0) {
    const message = `${count(found)} of an earlier run, which was killed, still ran here and got an end: ${named(found)}.`;
    emit({ kind: 'warning', message });
  }
  if (survivors.length > 0) {
    const message = `${count(survivors)} of them could not be ended: ${named(survivors)}. Look for them with ps, they may still write to this folder.`;
    emit({ kind: 'warning', message });
  }
}

function count(orphans: readonly Orphan[]): string {
  return orphans.length === 1 ? '1 process' : `${orphans.length} processes`;
}

function named(orphans: readonly Orphan[]): string {
  const names = orphans.slice(0, NAMED).map(({ pid, command }) => `${pid} (${command || 'no name'})`);
  const more = orphans.length > NAMED ? [`and ${orphans.length - NAMED} more`] : [];
  return [...names, ...more].join(', ');
}
