export { decideVerdict, type VerdictInput } from './decide-verdict.ts';
export { detectFindings } from './detect-findings.ts';
export { eventsFor } from './events-for.ts';
