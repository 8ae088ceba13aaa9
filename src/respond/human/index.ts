export {
  chained,
  chainedAll,
  entryOf,
  headOf,
  isLate,
  isTooOld,
  linesText,
  plainEntry,
  sealed,
  timeoutRecords,
} from './audit.ts';
export { type Authority, authorityFor, mayDecide } from './authority.ts';
export { gateToOpen, triggersOf } from './triggers.ts';
export { type AuditProblem, verifyAudit } from './verify.ts';
export { expired, expiryAfter, whitelistedBy } from './whitelist.ts';
