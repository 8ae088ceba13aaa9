export { addPlan } from './add-plan.ts';
export { plainWords } from './assign-ids.ts';
export { convertTasks } from './convert-tasks.ts';
export { checkDependencies, idsOfNames, taskFinder } from './dependencies.ts';
export { joinFiles, splitFiles } from './folder-text.ts';
export {
  decidingPaths,
  type FileKind,
  FOLDER_KIND,
  isService,
  loadedReader,
  programOf,
  type ReadSettings,
  type Service,
  TRACKER_KINDS,
  trackerCandidates,
  trackerPlaces,
  trackerReader,
} from './formats.ts';
export { idsAfter, isSameTask } from './identity.ts';
export { splitId } from './markdown/title.ts';
export { readOnce } from './read-once.ts';
export type { TrackerReader } from './task-list.ts';
export {
  EXAMPLE_LIST,
  editTrackerText,
  type ParsedTracker,
  parseTracker,
  setTrackerStatus,
  setTrackerStatuses,
} from './tracker-text.ts';
