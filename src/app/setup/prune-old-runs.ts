import { join } from 'node:path';
import { pruneRuns } from '../../io/store/index.ts';
import type { Project } from './project.ts';

/** Removes the folders of old runs beyond `[output] keep_runs`; those of tasks that are not done stay. */
export function pruneOldRuns({ root, store, config }: Project): void {
  const unfinished = Object.values(store.state.tasks).filter(({ doneBy }) => doneBy === null);
  const needed = unfinished.flatMap(({ attempts }) => attempts.map(({ run }) => run));
  pruneRuns(join(root, '.ralph'), config.output.keep_runs, new Set(needed));
}
