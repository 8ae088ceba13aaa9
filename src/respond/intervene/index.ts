export { checkThresholds } from './check-thresholds.ts';
export { checkpointOf, eventsOf, feedbackOf, isSetAside, verdictsAfter } from './consequences.ts';
export {
  decideInterventions,
  intervene,
  isProgress,
  isStopOfTask,
  stepIfAgain,
} from './decide-interventions.ts';
export { recoveryOptions, stricterLimits } from './incident/recovery.ts';
export { type IncidentInput, incidentReport } from './incident/report.ts';
export { CORRECTION_VARIABLES, streamCorrection } from './texts.ts';
export { restrictionNotice } from './throttle.ts';
export type { InterventionDecision, InterventionInput } from './types.ts';
