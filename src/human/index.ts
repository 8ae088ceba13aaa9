export { chained, chainedAll, entryOf, headOf, linesText, plainEntry } from './audit.ts';
export { gateToOpen } from './gate-to-open.ts';
export { alternativesFor, authorityFor, mayDecide, OPTIONS, type OptionEntry } from './options.ts';
export { gatePanel, gateText } from './panel.ts';
export { sealed } from './retention.ts';
export { triggersOf } from './triggers.ts';
export { type AuditProblem, verifyAudit } from './verify.ts';
export { expired, expiryAfter, whitelistedBy } from './whitelist.ts';
