export { accessCommand, whyUnwritable } from '../io/files/access-command.ts';
export { replaceFile, writeFileAtomic } from '../io/files/atomic-file.ts';
export { homesFolder } from '../io/files/homes-folder.ts';
export {
  lstatOrNull,
  namesIn,
  openPlainFile,
  plainText,
  readFileBytes,
  readJson,
  readPlainFile,
  whyUnreadable,
} from '../io/files/plain-file.ts';
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
