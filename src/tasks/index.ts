export { TRACKER_CANDIDATES, type TrackerKind } from './candidates.ts';
export { checkDependencies } from './dependencies.ts';
export { GITHUB_FIELDS, issueNumber, tasksFromGithub } from './github.ts';
export { overlayStatus } from './overlay-status.ts';
export { type ParsedTracker, parseTracker, setTrackerStatus } from './parse-tracker.ts';
export { explainTasks, selectTask } from './select-task.ts';
