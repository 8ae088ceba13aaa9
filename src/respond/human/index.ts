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
export {
  type Authority,
  alternativesFor,
  authorityFor,
  mayDecide,
  OPTIONS,
  type OptionEntry,
  optionsOf,
} from './options.ts';
export { actionDetail, gatePanel, gateSections, gateText } from './panel.ts';
export { gateToOpen, triggersOf } from './triggers.ts';
export { type AuditProblem, verifyAudit } from './verify.ts';
export { expired, expiryAfter, whitelistedBy } from './whitelist.ts';
