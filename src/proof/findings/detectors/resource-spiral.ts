import { type Growth, LIMIT_UNITS, RESOURCE_NAMES, type Resource } from '../../../domain/intervention.ts';
import { type Attempt, lacksFiles, reasonsAgainstCompletion } from '../attempt.ts';
import type { Detection } from '../detector.ts';
import { SPIRAL } from '../numbers.ts';
import { decideByEnding } from '../verdict/ending.ts';
import { crossedOf, growthAgainst, growthOf, previousOf, windowsOf } from './growth.ts';

type Spiral = { readonly resource: Resource; readonly ratio: number; readonly span: 'window' | 'attempt' };

/**
 * Finds an attempt that was ended for a crossed limit, or that used more and more, within itself or against the previous one, and didn't
 * end well. Higher usage is fine if the work passes the gates or is validly claimed done.
 */
export function resourceSpiral(attempt: Attempt): Detection | null {
  const crossed = crossedOf(attempt);
  const spirals = crossed === null && endedWell(attempt) ? [] : spiralsOf(attempt);
  if (crossed === null && spirals.length === 0) return null;
  const worst = Math.max(0, ...spirals.map(({ ratio }) => ratio));
  const signs = spirals.map(
    ({ resource, ratio, span }) => `${ratio.toFixed(1)} times the ${NAMES[resource]} of the ${span} before`,
  );
  if (crossed !== null) {
    const { limit, allowed, seen } = crossed;
    signs.unshift(`${Math.round(seen)} ${LIMIT_UNITS[limit]} (limit ${Math.round(allowed)})`);
  }
  return {
    severity: crossed !== null || worst > SPIRAL.high ? 'high' : 'medium',
    summary: `The attempt uses more and more: ${signs.join('; ')}.`,
    details: {
      growth: growthOf(attempt),
      crossed,
      resources: attempt.resources,
      previous: previousOf(attempt.history),
    },
  };
}

const NAMES: Readonly<Record<keyof Growth, string>> = {
  fileOperations: 'file operations',
  tokens: 'tokens',
  memory: 'memory',
  time: 'time',
};

function endedWell(attempt: Attempt): boolean {
  if (decideByEnding(attempt) !== null || lacksFiles(attempt)) return false;
  if (attempt.claim.completion) return reasonsAgainstCompletion(attempt).length === 0;
  return attempt.gateReport.status === 'passed';
}

/** Returns significant growth. Within an attempt it has to last for two windows. */
function spiralsOf(attempt: Attempt): Spiral[] {
  const against = growthAgainst(previousOf(attempt.history), attempt.resources);
  const windows = windowsOf(attempt);
  return RESOURCE_NAMES.flatMap((resource) => {
    const spirals: Spiral[] = [];
    if (against[resource] > SPIRAL.againstPrevious[resource]) {
      spirals.push({ resource, ratio: against[resource], span: 'attempt' });
    }
    if (resource === 'time' || windows === null) return spirals;
    const { newest, previous } = windows[resource];
    if (
      newest.value >= SPIRAL.windowFloors[resource] &&
      newest.ratio > SPIRAL.inWindow.newest &&
      previous.ratio > SPIRAL.inWindow.before
    ) {
      spirals.push({ resource, ratio: newest.ratio, span: 'window' });
    }
    return spirals;
  });
}
