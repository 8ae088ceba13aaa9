import type { Growth, LimitKind } from '../../domain/intervention.ts';
import { formatDuration } from '../../lib/duration.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { type Attempt, lacksFiles, reasonsAgainstCompletion } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { SPIRAL } from '../numbers.ts';
import { decideByEnding } from '../verdict/ending.ts';
import { crossedOf, growthAgainst, growthOf, previousOf, windowsOf } from './growth.ts';

type Resource = keyof Growth;
type Spiral = { readonly resource: Resource; readonly ratio: number; readonly over: 'window' | 'attempts' };

/**
 * The attempt uses more and more: it was ended for a limit that it crossed, or it grew, within the attempt or against
 * the one before, and did not come out well. An attempt that uses more and gets its work through the gates, or claims
 * completion with nothing against it, is no spiral.
 */
export function resourceSpiral(attempt: Attempt): Found | null {
  const crossed = crossedOf(attempt);
  const spirals = crossed === null && cameOutWell(attempt) ? [] : spiralsOf(attempt);
  if (crossed === null && spirals.length === 0) return null;
  const worst = Math.max(0, ...spirals.map(({ ratio }) => ratio));
  const said = [
    ...(crossed === null ? [] : [crossedSaid(crossed)]),
    ...spirals.map(
      ({ resource, ratio, over }) =>
        `${ratio.toFixed(1)} times the ${NAMES[resource]} of the ${over === 'window' ? 'window' : 'attempt'} before`,
    ),
  ];
  return {
    severity: crossed !== null || worst > SPIRAL.high ? 'high' : 'medium',
    summary: `The attempt uses more and more: ${said.join('; ')}.`,
    details: {
      growth: growthOf(attempt),
      crossed,
      resources: attempt.resources,
      previous: previousOf(attempt.history),
    },
  };
}

const NAMES: Readonly<Record<Resource, string>> = {
  fileOperations: 'file operations',
  tokens: 'tokens',
  memory: 'memory',
  time: 'time',
};

function cameOutWell(attempt: Attempt): boolean {
  if (decideByEnding(attempt) !== null || lacksFiles(attempt)) return false;
  if (attempt.claim.completion) return reasonsAgainstCompletion(attempt).length === 0;
  return attempt.gateReport.status === 'passed';
}

/** Growth that means something. Within an attempt it has to go on over two windows. */
function spiralsOf(attempt: Attempt): Spiral[] {
  const against = growthAgainst(previousOf(attempt.history), attempt.resources);
  const attempts = (['fileOperations', 'tokens', 'memory', 'time'] as const)
    .filter((resource) => against[resource] > SPIRAL.againstPrevious[resource])
    .map((resource): Spiral => ({ resource, ratio: against[resource], over: 'attempts' }));
  const windows = windowsOf(attempt);
  if (windows === null) return attempts;
  const within = (['fileOperations', 'tokens', 'memory'] as const)
    .filter((resource) => {
      const { newest, before } = windows[resource];
      return (
        newest.value >= SPIRAL.windowFloors[resource] &&
        newest.ratio > SPIRAL.inWindow.newest &&
        before.ratio > SPIRAL.inWindow.before
      );
    })
    .map((resource): Spiral => ({ resource, ratio: windows[resource].newest.ratio, over: 'window' }));
  return [...attempts, ...within];
}

function crossedSaid({ limit, allowed, seen }: NonNullable<ReturnType<typeof crossedOf>>): string {
  return `${amount(limit, seen)}, and ${amount(limit, allowed)} were allowed`;
}

/** In the limit's unit, which of time is the second. */
function amount(limit: LimitKind, value: number): string {
  switch (limit) {
    case 'file_operations':
      return `${value} file operations`;
    case 'memory':
      return `${Math.round(value)} MiB of memory`;
    case 'tokens':
      return `${value} tokens`;
    case 'execution_time':
      return formatDuration(value * 1000);
    default:
      return unreachable(limit);
  }
}
