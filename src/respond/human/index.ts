export { actionDetail } from './action-detail.ts';
export { chained, chainedAll, entryOf, headOf, linesText, plainEntry } from './audit.ts';
export { gateToOpen } from './gate-to-open.ts';
export {
  type Authority,
  alternativesFor,
  authorityFor,
  mayDecide,
  OPTIONS,
  type OptionEntry,
  optionsOf,
} from './options.ts';
export { gatePanel, gateText } from './panel.ts';
export { isTooOld, sealed } from './retention.ts';
export { isLate, timeoutRecords } from './timeouts.ts';
export { triggersOf } from './triggers.ts';
export { type AuditProblem, verifyAudit } from './verify.ts';
export { expired, expiryAfter, whitelistedBy } from './whitelist.ts';
