export { archiveEvents } from './files/archive.ts';
export { replaceFile, writeFileAtomic } from './files/atomic-file.ts';
export { addToKeptLog, olderLogOf } from './files/kept-log.ts';
export {
  lstatOrNull,
  openPlainFile,
  readFileBytes,
  readPlainFile,
  whyUnreadable,
} from './files/plain-file.ts';
export { parseJson, plainText, readJson } from './files/plain-text.ts';
export { pruneRuns } from './files/prune-runs.ts';
export { moveInto, removePlainFile } from './files/set-aside.ts';
export { homesFolder } from './home/homes-folder.ts';
export { type Key, keepKey, macOf, readKey } from './home/key.ts';
export { findHome } from './home/repository-home.ts';
export { inspectJournal, readRecords, readRunRecords } from './journal/read-journal.ts';
export { acquireLock, acquireRunLock, holderHere, liveHolder } from './lock/lock.ts';
export type { StoreOptions } from './open-options.ts';
export { openStore } from './open-store.ts';
