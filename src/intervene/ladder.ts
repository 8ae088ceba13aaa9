import type { Finding } from '../domain/finding.ts';
import {
  INTERVENTION_TYPES,
  type InterventionRecord,
  type InterventionType,
} from '../domain/intervention.ts';
import type { InterventionSettings } from '../domain/intervention-settings.ts';
import { DEFAULT_LADDER, LADDERS } from '../domain/ladders.ts';

/** Position among the five interventions, 0 the gentlest. */
export function sternness(type: InterventionType): number {
  return INTERVENTION_TYPES.indexOf(type);
}

/** The interventions that answer a finding, gentlest first, whatever is switched off or used up. */
export function ladderOf({ type, ladder }: Pick<Finding, 'type' | 'ladder'>): readonly InterventionType[] {
  if (Object.hasOwn(LADDERS, type)) return LADDERS[type] ?? DEFAULT_LADDER;
  const own = INTERVENTION_TYPES.filter((rung) => ladder?.includes(rung));
  return own.length > 0 ? own : DEFAULT_LADDER;
}

/** Whether an intervention may be applied once more in the series: it is enabled and not used up. */
export function isUsable(
  type: InterventionType,
  settings: Pick<InterventionSettings, 'types'>,
  records: readonly InterventionRecord[],
): boolean {
  const { enabled, maxAttempts } = settings.types[type];
  if (!enabled) return false;
  return maxAttempts === 0 || records.filter((record) => record.type === type).length < maxAttempts;
}

type Rungs = readonly InterventionType[];

/** The sternest rung that is not sterner than a type; the first where all are. */
export function roundedDown(rungs: Rungs, type: InterventionType): InterventionType | undefined {
  return rungs.findLast((rung) => sternness(rung) <= sternness(type)) ?? rungs[0];
}

/** The gentlest rung that is at least as stern as a type. */
export function rungFrom(rungs: Rungs, type: InterventionType): InterventionType | undefined {
  return rungs.find((rung) => sternness(rung) >= sternness(type));
}

/** The gentlest rung that is sterner than a type; without one the rung itself. */
export function rungAbove(rungs: Rungs, type: InterventionType): InterventionType | undefined {
  return rungs.find((rung) => sternness(rung) > sternness(type)) ?? rungFrom(rungs, type);
}

/** The sternest rung that is gentler than a type; the first where none is. */
export function rungBelow(rungs: Rungs, type: InterventionType): InterventionType | undefined {
  return rungs.findLast((rung) => sternness(rung) < sternness(type)) ?? rungs[0];
}
