export { archiveEvents } from './archive.ts';
export { writeFileAtomic } from './atomic-file.ts';
export { acquireLock, acquireRunLock, LockHolder, type LockResult, liveHolder } from './lock.ts';
export type { StoreOptions } from './open-options.ts';
export { type OpenedStore, openStore } from './open-store.ts';
