export type { Attempt } from './attempt.ts';
export { decideVerdict, type VerdictInput } from './decide-verdict.ts';
export { detectFindings } from './detect-findings.ts';
export type { Decision } from './ending.ts';
export { type EventsInput, eventsFor } from './events-for.ts';
