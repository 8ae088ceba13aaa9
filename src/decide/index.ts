export { correctionFor } from './attempt/correction.ts';
export { gateBefore } from './attempt/gate-before.ts';
export { gatesToRun } from './attempt/gates-to-run.ts';
export {
  decidingSettings,
  instructionFiles,
  knownOf,
  promptBounds,
  promptFiles,
  promptFor,
  promptFrom,
  readInputs,
} from './attempt/prompt-from.ts';
export { MOST_REVIEWED, reviewChanges } from './attempt/review-changes.ts';
export { isManifest, runsOnOpen } from './attempt/runs-on-open.ts';
export {
  attemptNumber,
  attemptSeconds,
  configuredLimits,
  knownCheckpoint,
  limitsFor,
  type Mode,
  sessionToResume,
  timeoutFor,
} from './attempt/starting-attempt.ts';
export { chooseAgent, standings } from './choice/available-agent.ts';
export { selectAmong } from './choice/choose-among.ts';
export { type Choice, chooseNext } from './choice/choose-next.ts';
export { type Ending, endingOfPick, endingOfStop, isReached } from './choice/ending.ts';
export { claimOf, decideIteration, judge } from './decide-iteration.ts';
export { finishedRecord, iterationRecord } from './finished-record.ts';
export { gateChanges, nextSources } from './gates/compare-sources.ts';
export { buildsOf, type DetectedGate, detectGates, isRecipe, type SeenFiles } from './gates/detect/index.ts';
export { notReproduced } from './gates/not-reproduced.ts';
export { resolveGate } from './gates/resolve-gate.ts';
export { runsRepository } from './gates/runs-repository.ts';
export { gateRecords, requestFrom } from './human-gate.ts';
export { incidentOf, type OpenedIncident } from './incident-of.ts';
export { hasMoved } from './recovery-after.ts';
export { costOfCutOff } from './run/cost-of-cut-off.ts';
export { countTasks } from './run/count-tasks.ts';
export { iterationSpan } from './run/iteration-span.ts';
export { lastedMs } from './run/merge-runs.ts';
export { decisionCommand } from './run/next-commands.ts';
export { type Outlook, outlookOf } from './run/outlook.ts';
export { type ReportFacts, reportRun } from './run/report.ts';
export { shownRoles } from './run/shown-roles.ts';
export { startedInside } from './run/started-inside.ts';
export { commitsMayExplain } from './tasks/commits-explain.ts';
export { explainMarks, type Marks, markName } from './tasks/explain-marks.ts';
export { planReconciliation } from './tasks/plan-reconciliation.ts';
export { strategyFacts, suggestFor } from './tasks/suggest.ts';
export { isBlocked, unblockRecords } from './tasks/unblock-records.ts';
