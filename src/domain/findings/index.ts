import { CLAIMS } from './claims.ts';
import { AVOIDANCE, type FindingEntry, HANDLER_ISSUE } from './entry.ts';
import { RULES } from './rules.ts';
import { WORK } from './work.ts';

export type { FindingEntry, IssueFacts } from './entry.ts';

export const FINDINGS = { ...CLAIMS, ...WORK, ...RULES, avoidance: AVOIDANCE };
export type FindingType = keyof typeof FINDINGS;
export const FINDING_TYPES = Object.keys(FINDINGS) as FindingType[];

export const FINDING_EVENTS = FINDING_TYPES.map((type) => FINDINGS[type].event);

export function isFindingType(type: string): type is FindingType {
  return Object.hasOwn(FINDINGS, type);
}

export function entryOf(type: string): FindingEntry {
  return isFindingType(type) ? FINDINGS[type] : HANDLER_ISSUE;
}
