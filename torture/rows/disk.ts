import { join } from 'node:path';
import { canMount, fullDiskTrial, SMALL_PLACES, type SmallDisk } from '../../test/helpers/crash/full-disk.ts';
import { removeTemporaryFolders } from '../../test/helpers/repository.ts';
import { measured, type Row } from '../row.ts';

/** Free space is tried from none up to this, in KiB, page by page; a page has 4 KiB. */
const UP_TO_KIB = 96;
const PAGE_KIB = 4;

export const fullDisk: Row = {
  id: 'disk',
  what: 'disk full or read-only, below .ralph, .git, its objects, the state home and the checkout',
  target:
    'refused with a clear message before the agent runs; nothing half-written; continues when there is space',
  run: async ({ size, progress, root }) => {
    if (!canMount())
      return { kind: 'not_run', reason: 'a small tmpfs cannot be mounted here (it needs root)' };
    const levels = size(UP_TO_KIB / PAGE_KIB, 2);
    const disks = SMALL_PLACES.flatMap((place): SmallDisk[] => [
      { place, freeKib: null },
      { place, freeKib: 0, agentFills: true },
      ...Array.from({ length: levels }, (_, level) => ({
        place,
        freeKib: Math.round((level * UP_TO_KIB) / levels / PAGE_KIB) * PAGE_KIB,
      })),
    ]);
    const failures: string[] = [];
    const outcomes = new Map<string, number>();
    for (const [index, disk] of disks.entries()) {
      const name = nameOf(disk);
      progress(index, disks.length, name);
      const { outcome, wrong } = fullDiskTrial(join(root, 'bin', 'ralph.js'), disk);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      failures.push(...wrong.map((problem) => `${name} (${outcome}): ${problem}`));
      removeTemporaryFolders();
    }
    const result = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    return measured(disks.length, result, failures);
  },
};

function nameOf({ place, freeKib, agentFills }: SmallDisk): string {
  if (agentFills) return `${place}, filled by the agent`;
  return `${place}, ${freeKib === null ? 'read-only' : `${freeKib} KiB free`}`;
}
