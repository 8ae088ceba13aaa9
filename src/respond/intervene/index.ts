export { checkThresholds, type ThresholdSettings } from './check-thresholds.ts';
export { eventsOf, feedbackOf, verdictAfter } from './consequences.ts';
export { decideInterventions, intervene, isStopOfTask } from './decide-interventions.ts';
export { recoveryOptions, stricterLimits } from './incident/recovery.ts';
export { type IncidentInput, incidentReport } from './incident/report.ts';
export { restrictionNotice } from './restriction.ts';
export { scoreOf } from './score.ts';
export { CORRECTION_VARIABLES, streamCorrection } from './texts.ts';
export type { InterventionDecision, InterventionInput } from './types.ts';
