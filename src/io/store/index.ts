export { archiveEvents } from './archive.ts';
export { writeFileAtomic } from './atomic-file.ts';
export { acquireLock, acquireRunLock, liveHolder } from './lock.ts';
export type { StoreOptions } from './open-options.ts';
export { openStore } from './open-store.ts';
