export { archiveEvents } from './archive.ts';
export { writeFileAtomic } from './atomic-file.ts';
export { acquireLock, acquireRunLock, liveHolder } from './lock.ts';
export type { StoreOptions } from './open-options.ts';
export { openStore } from './open-store.ts';
export { readPlainFile } from './plain-file.ts';
export { pruneRuns } from './prune-runs.ts';
export { readRunRecords } from './read-journal.ts';
