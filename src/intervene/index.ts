export { control } from './control.ts';
export { stricterLimits } from './incident-limits.ts';
export { recoveryOptions } from './incident-options.ts';
export { type IncidentInput, incidentReport } from './incident-report.ts';
export type { ControlDecision, ControlInput } from './input.ts';
export { ladderOf } from './ladder.ts';
export { scoreOf } from './score.ts';
export { CORRECTION_VARIABLES, streamCorrection } from './soft-correction.ts';
