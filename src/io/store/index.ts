export { replaceFile, writeFileAtomic } from '../files/atomic-file.ts';
export { homesFolder } from '../files/homes-folder.ts';
export {
  lstatOrNull,
  openPlainFile,
  readFileBytes,
  readPlainFile,
  whyUnreadable,
} from '../files/plain-file.ts';
export { parseJson, plainText, readJson } from '../files/plain-text.ts';
export { archiveEvents } from './archive.ts';
export { type Key, keepKey, macOf, readKey } from './home/key.ts';
export { findHome } from './home/repository-home.ts';
export { inspectJournal, readRecords, readRunRecords } from './journal/read-journal.ts';
export { addToKeptLog, olderLogOf } from './kept-log.ts';
export { acquireLock, acquireRunLock, holderHere, liveHolder } from './lock/lock.ts';
export type { StoreOptions } from './open-options.ts';
export { openStore } from './open-store.ts';
export { pruneRuns } from './prune-runs.ts';
export { moveInto, removePlainFile } from './set-aside.ts';
