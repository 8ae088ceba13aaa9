export { TRACKER_CANDIDATES, type TrackerKind } from './candidates.ts';
export { checkDependencies, taskFinder } from './dependencies.ts';
export type { TrackerReader } from './draft.ts';
export { GITHUB_FIELDS, issueNumber, tasksFromGithub } from './github.ts';
export { overlayStatus } from './overlay-status.ts';
export {
  type ParsedTracker,
  parseTracker,
  readerAtHand,
  setTrackerStatus,
  trackerReader,
} from './parse-tracker.ts';
export { explainTasks, selectTask } from './select-task.ts';
