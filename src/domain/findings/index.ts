import { CLAIMS } from './claims.ts';
import { AVOIDANCE, type FindingEntry, HANDLER_ISSUE } from './entry.ts';
import { RULES } from './rules.ts';
import { WORK } from './work.ts';

export type { FindingEntry, IssueFacts } from './entry.ts';

/** Every finding that ralph itself detects, in the order in which they are raised. */
export const FINDINGS = { ...CLAIMS, ...WORK, ...RULES, avoidance: AVOIDANCE };
export type FindingType = keyof typeof FINDINGS;
export const FINDING_TYPES = Object.keys(FINDINGS) as FindingType[];

/** The events of the built-in findings. */
export const FINDING_EVENTS = FINDING_TYPES.map((type) => FINDINGS[type].event);

export function isFindingType(type: string): type is FindingType {
  return Object.hasOwn(FINDINGS, type);
}

/** The entry of a finding; that of `HANDLER_ISSUE` for one of your own detectors. */
export function entryOf(type: string): FindingEntry {
  return isFindingType(type) ? FINDINGS[type] : HANDLER_ISSUE;
}
