export { archiveEvents } from './files/archive.ts';
export { writeFileAtomic } from './files/atomic-file.ts';
export { readPlainFile } from './files/plain-file.ts';
export { pruneRuns } from './files/prune-runs.ts';
export { readRunRecords } from './journal/read-journal.ts';
export { acquireLock, acquireRunLock, holderHere, liveHolder } from './lock/lock.ts';
export type { StoreOptions } from './open-options.ts';
export { openStore } from './open-store.ts';
