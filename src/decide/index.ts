export {
  decidingSettings,
  instructionFiles,
  type PromptFacts,
  promptBounds,
  promptFiles,
  promptFor,
  promptFrom,
  readInputs,
  stateFor,
} from './attempt/prompt-from.ts';
export { gateBefore, MOST_REVIEWED, reviewChanges, type WholeDiff } from './attempt/review-changes.ts';
export { isManifest, runsOnOpen } from './attempt/runs-on-open.ts';
export {
  attemptNumber,
  attemptSeconds,
  configuredLimits,
  correctionFor,
  knownCheckpoint,
  limitsFor,
  type Mode,
  sessionToResume,
  timeoutFor,
  timeoutsElsewhere,
} from './attempt/starting-attempt.ts';
export { unjudgedWork } from './attempt/unjudged-work.ts';
export { agentAvailability, chooseAgent } from './choice/available-agent.ts';
export { type Choice, chooseNext, selectAmong } from './choice/choose-next.ts';
export { type Ending, endingOfPick, endingOfStop, isReached, stoppedText } from './choice/ending.ts';
export { heldTasks, startsAnyway, unstartableIds } from './choice/held-tasks.ts';
export { iterationLimit } from './choice/iteration-limit.ts';
export { isDoneHere, type MarkRules, markRules, overlayStatus } from './choice/overlay-status.ts';
export { queueOf, whyIdle, workersAt } from './choice/queue.ts';
export { type Room, type Shortage, shortageOf, shortageText } from './choice/room.ts';
export { explainTasks, selectTask } from './choice/select-task.ts';
export { tasksNeedingGates } from './choice/tasks-needing-gates.ts';
export { decideIteration, judge } from './decide-iteration.ts';
export { finishedRecord, incidentOf, iterationRecord, type OpenedIncident } from './finished-record.ts';
export { costOfLost } from './fleet/cost-of-lost.ts';
export { limitedAccounts } from './fleet/limited-accounts.ts';
export { gateChanges, nextSources } from './gates/compare-sources.ts';
export { buildsOf, type DetectedGate, detectGates, isRecipe } from './gates/detect/index.ts';
export { gatesToRun, notReproduced } from './gates/gate-runs.ts';
export { resolveGate, runsRepository } from './gates/resolve-gate.ts';
export { runByHook } from './gates/run-by-hook.ts';
export { gateRecords, requestFrom } from './human-gate.ts';
export { checkPlan, problemsText } from './plan/check-plan.ts';
export { estimateOf, limitsOf, listPlanOf, type PlanWorld } from './plan/planned-tasks.ts';
export { readPlan, readProposed } from './plan/read-plan.ts';
export { reviewTasks } from './plan/review-list.ts';
export { claimOf } from './rooms/claim.ts';
export { answerableOf, type Deciding } from './run/answerable.ts';
export { costOfCutOff } from './run/cost-of-cut-off.ts';
export { iterationSpans } from './run/iteration-span.ts';
export { shownRoles } from './run/shown-roles.ts';
export { startedInside } from './run/started-inside.ts';
export { isWaiting, notificationOf, waitingNotification, waitsIn } from './run/waits.ts';
export { answerRow } from './tasks/answer-row.ts';
export {
  commitsMayExplain,
  explainMarks,
  isTakenBack,
  markName,
  planReconciliation,
  type Statuses,
} from './tasks/marks.ts';
export {
  isBlocked,
  planAutoUnblock,
  strategyFacts,
  suggestFor,
  unblockingOf,
  unblockRecords,
} from './tasks/unblock.ts';
export { answerOf } from './verify/answer-of.ts';
export { doubtsOf } from './verify/doubts.ts';
export { type JudgedSession, stopAnswer } from './verify/stop-answer.ts';
