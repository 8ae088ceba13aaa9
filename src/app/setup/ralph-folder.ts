import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { namesIn } from 'ralph-kit/files/plain-file';
import type { FoundWorkTree } from '../../git/index.ts';
import { liveHolder } from '../../store/index.ts';
import { homeOf, placeOf } from './state-home.ts';

/** Owner of ralph's records. `list`: the repository's task list; `do`: the task of `ralph do`. */
export type Owner = 'list' | 'do';

export type RalphFolder = {
  readonly owner: Owner;
  /** Absolute folder of the journal, the runs and all documents; it may not exist yet. */
  readonly folder: string;
  /** Name of the journal's copy in the state home. */
  readonly place: string;
};

/**
 * Returns where ralph's records of a work tree lie: in its `.ralph`, or in the state home for `ralph do`. In a work tree
 * with both, a command is about `ralph do` if it names a task or run of it, or while it runs.
 */
export function ralphFolder(workTree: FoundWorkTree, owner: Owner | null = null): RalphFolder {
  const ofTree = placeOf(workTree);
  const ofList = { owner: 'list', folder: join(workTree.top, '.ralph'), place: ofTree } as const;
  if (owner === 'list') return ofList;
  const place = join('do', ofTree);
  const ofDo = {
    owner: 'do',
    folder: join(homeOf(workTree.commonDir).path, place, '.ralph'),
    place,
  } as const;
  if (owner === 'do') return ofDo;
  if (!existsSync(ofDo.folder)) return ofList;
  const isMeant = !existsSync(ofList.folder) || isNamed(ofDo.folder) || isActive(ofDo.folder);
  return isMeant ? ofDo : ofList;
}

/** Returns the holder of the run lock in ralph's folder; `null`: no run is active. */
export function holderIn(folder: string): ReturnType<typeof liveHolder> {
  return liveHolder(runLockIn(folder), hostname());
}

export function runLockIn(folder: string): string {
  return join(folder, 'run.lock');
}

function isActive(folder: string): boolean {
  return holderIn(folder) !== null;
}

/** Matches the id of a task of `ralph do`; `@2` means its older work. */
const TASK = /^DO-\d+(?:@\d+)?$/i;

function isNamed(folder: string): boolean {
  const runs = namesIn(join(folder, 'runs'));
  return process.argv.slice(2).some((word) => {
    // `RUN/2` names a checkpoint of a run.
    const [run = ''] = word.split('/');
    return TASK.test(word) || (run.startsWith('r-') && runs.some((name) => name.startsWith(run)));
  });
}
