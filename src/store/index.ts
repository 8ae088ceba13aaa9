export { accessCommand, whyUnwritable } from 'ralph-kit/files/access-command';
export { replaceFile, writeFileAtomic } from 'ralph-kit/files/atomic-file';
export { homesFolder } from 'ralph-kit/files/homes-folder';
export {
  lstatOrNull,
  namesIn,
  openPlainFile,
  plainText,
  readFileBytes,
  readJson,
  readPlainFile,
  whyUnreadable,
} from 'ralph-kit/files/plain-file';
export { enrol, isFleetKey, openSeal, readEnrolled } from './home/fleet-keys.ts';
export { type Key, keepKey, macOf, readKey } from './home/key.ts';
export { findHome, knownGitFolders } from './home/repository-home.ts';
export { inspectJournal, readRecords, readRunRecords } from './journal/read-journal.ts';
export { endLeftLogs } from './left-logs.ts';
export { addToKeptLog, olderLogOf } from './line-log.ts';
export { acquireLock, acquireRunLock, liveHolder, localHolder } from './lock/lock.ts';
export { openStore } from './open-store.ts';
export { pruneRuns } from './prune-runs.ts';
export { archiveEvents, moveInto, removePlainFile } from './set-aside.ts';
export type { StoreOptions } from './store-paths.ts';
