export { addPlan } from './add-plan.ts';
export { checkNames } from './check-names.ts';
export { checkDependencies, taskFinder } from './choice/dependencies.ts';
export { givenUpText, noTaskText } from './choice/no-task.ts';
export { isDoneHere, type MarkRules, markRules, overlayStatus } from './choice/overlay-status.ts';
export {
  explainTasks,
  idsOfNames,
  inOrder,
  type Readiness,
  readinessOf,
  selectTask,
  whyNot,
} from './choice/select-task.ts';
export { convertTasks } from './convert-tasks.ts';
export { joinFiles, splitFiles } from './folder-text.ts';
export { GITHUB_FIELDS, issueNumber, type ServiceTasks, tasksFromGithub } from './formats/github.ts';
export { JIRA_FIELDS, tasksFromJira, tasksFromLinear } from './formats/ticket.ts';
export {
  type FileKind,
  loadedReader,
  type ReadSettings,
  trackerCandidates,
  trackerPlaces,
  trackerReader,
} from './formats.ts';
export { isSameTask } from './identity.ts';
export { type Loosening, looseningsOf, removeUnapproved } from './loosening.ts';
export { splitId } from './markdown/title.ts';
export { readOnce } from './read-once.ts';
export { readPlan, readProposed } from './read-plan.ts';
export type { TrackerReader } from './tracker-format.ts';
export {
  EXAMPLE_LIST,
  editTrackerText,
  type ParsedTracker,
  parseTracker,
  setTrackerStatus,
  setTrackerStatuses,
} from './tracker-text.ts';
