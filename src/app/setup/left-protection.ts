import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { GitError, type Store, StoreError } from '../../domain/ports.ts';
import type { Restored } from '../../domain/records/iteration.ts';
import { boxAround } from '../../io/box/index.ts';
import { systemClock } from '../../io/clock.ts';
import { type FoundWorkTree, openGitProtection } from '../../io/git/index.ts';
import { reapOrphans } from '../../io/proc/index.ts';
import { storePaths } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import { placeOf, stateHomeOf } from './state-home.ts';

export type Left = {
  readonly ok: true;
  readonly finish: (store: Store) => readonly string[];
  readonly leave: () => void;
};

const NOTHING: Left = { ok: true, finish: () => [], leave: () => undefined };

/**
 * What a run that died had protected comes back before the configuration is read, and with the store the rest.
 * `finish` gives a line for each thing that had changed.
 */
export async function restoreLeft(found: FoundWorkTree): Promise<Left | Failure> {
  const { top: root, gitDir, commonDir } = found;
  const dir = join(root, '.ralph');
  const { protected: folder, openRecord } = storePaths(
    dir,
    stateHomeOf(commonDir),
    placeOf({ gitDir, commonDir }),
  );
  // In a box the run isn't seen, and nothing could be written.
  if (!existsSync(openRecord) || boxAround() !== null) return NOTHING;
  const git = () => openGitProtection(found, folder);
  const endOrphans = () => reapOrphans(root, systemClock());
  try {
    // Loaded late, as nearly every start needs none of it.
    const { finishProtection } = await import('../../io/protect/index.ts');
    const left = await finishProtection({ dir, folder, git, endOrphans });
    if (left === null) return NOTHING;
    return {
      ok: true,
      leave: left.leave,
      finish: (store) => left.finish(store).map((one) => lineOf(one, left)),
    };
  } catch (error) {
    if (!(error instanceof GitError || error instanceof StoreError)) throw error;
    return failure(
      `A run was cut off, and what it protected could not all be put back: ${error.message}`,
      'Fix that, then run the command again: it continues there.',
      EXIT.unexpected,
    );
  }
}

/**
 * The same for a repository that git doesn't find: a HEAD or a folder of git may be what is missing. `null` where no
 * run left anything there.
 */
export async function restoreDamaged(folder: string): Promise<Left | Failure | null> {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = join(top, '.git');
    if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) {
      const left = await restoreLeft({ top, gitDir, commonDir: gitDir });
      return left === NOTHING ? null : left;
    }
    if (dirname(top) === top) return null;
  }
}

function lineOf({ path, setAside, kind }: Restored, { run, iteration }: { run: string; iteration: number }) {
  const kept =
    setAside === null ? '' : ` What it was is kept as ${kind === 'ref' ? '' : '.ralph/'}${setAside}.`;
  return `${path} was changed since iteration ${iteration} of run ${run} started, which was cut off; it was put back.${kept}`;
}
