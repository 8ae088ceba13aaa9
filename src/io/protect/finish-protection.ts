import { dirname, join, relative } from 'node:path';
import type { Store } from '../../domain/ports.ts';
import type { Restored } from '../../domain/records/iteration.ts';
import type { GitProtection } from '../git/protect/git-protection.ts';
import { orStoreError } from '../store/store-error.ts';
import { changeOf, putBack } from './kept-file.ts';
import { lockRecord, placeOf, readRecord, removeRecord, restoreGit } from './open-protection.ts';
import { keepCopy, shortName } from './set-aside.ts';
import { openVault } from './vault.ts';

export type LeftPlace = {
  /** `.ralph` */
  readonly dir: string;
  /** Outside of the repository, for this work tree alone. */
  readonly folder: string;
  readonly git: () => Promise<GitProtection>;
  /** Ends what the dead run left alive, which could still change things. */
  readonly endOrphans: () => Promise<unknown>;
};

/** What is still to be done once the store can be opened. */
export type LeftProtection = {
  readonly run: string;
  readonly iteration: number;
  /** Restores the rest and forgets it; everything that was restored. @throws StoreError */
  readonly finish: (store: Store) => readonly Restored[];
  /** Leaves it to the next start. */
  readonly leave: () => void;
};

/**
 * Puts back what a run that died had protected: git's settings, refs and ralph's configuration now, before any of it is
 * read, the rest when the store is open. `null` where nothing was left, or where its run is alive.
 *
 * @throws StoreError, GitError where it can't be done; the next start tries again.
 */
export async function finishProtection(place: LeftPlace): Promise<LeftProtection | null> {
  const { dir, folder } = place;
  if (readRecord(folder) === null) return null;
  const unlock = lockRecord(folder, 0);
  if (unlock === null) return null;
  try {
    const record = readRecord(folder);
    if (record === null) {
      unlock();
      return null;
    }
    await place.endOrphans();
    const { run, iteration } = record;
    const aside = placeOf(dir, run, iteration);
    const found = await restoreGit(await place.git(), record.git, aside);
    const vault = openVault(join(folder, 'ralph'));
    orStoreError('What a killed run had protected cannot be put back', () => {
      for (const file of record.store.files.filter(({ group }) => group === 'config')) {
        const change = changeOf(file);
        if (change === null) continue;
        const kept = keepCopy(file.path, shortName(dir, file.path), aside.setAside);
        putBack(file, vault);
        const setAside = kept === null ? null : join(aside.shownAs, kept);
        found.push({ kind: file.kind, path: relative(dirname(dir), file.path), change, setAside });
      }
    });
    return {
      ...{ run, iteration, leave: unlock },
      finish: (store) => {
        const rest = store.reopenGuard(record.store).restore(run, iteration, false).restored;
        removeRecord(folder);
        unlock();
        return [...found, ...rest];
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
