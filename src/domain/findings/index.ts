import type { EventSeverity } from 'ralph-kit/severity';
import { CLAIMS } from './claims.ts';
import { AVOIDANCE, bySeverity, type EventFacts, type FindingEntry, HANDLER_ISSUE } from './entry.ts';
import { RULES } from './rules.ts';
import { WORK } from './work.ts';

export type { FindingEntry, IssueFacts } from './entry.ts';

export const FINDINGS = { ...CLAIMS, ...WORK, ...RULES, avoidance: AVOIDANCE };
export type FindingType = keyof typeof FINDINGS;
export const FINDING_TYPES = Object.keys(FINDINGS) as FindingType[];

type EventOf<Type extends FindingType> = Type extends FindingType
  ? (typeof FINDINGS)[Type] extends { readonly event: infer Event }
    ? Event
    : Type
  : never;

/** Returns the name of a finding's event. */
export function eventOf(type: FindingType): EventOf<FindingType> {
  const { event = type }: FindingEntry = FINDINGS[type];
  return event as EventOf<FindingType>;
}

/** Returns the severity of a finding's event. */
export function eventSeverityOf(type: string, facts: EventFacts): EventSeverity {
  return (entryOf(type).eventSeverity ?? bySeverity)(facts);
}

export const FINDING_EVENTS = FINDING_TYPES.map(eventOf);

export function isFindingType(type: string): type is FindingType {
  return Object.hasOwn(FINDINGS, type);
}

export function entryOf(type: string): FindingEntry {
  return isFindingType(type) ? FINDINGS[type] : HANDLER_ISSUE;
}
