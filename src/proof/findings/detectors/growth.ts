import type { AgentEnd } from '../../../domain/agent.ts';
import {
  byResource,
  GROWTH_STEPS,
  type Growth,
  NO_GROWTH,
  RESOURCES,
  type Resources,
} from '../../../domain/intervention.ts';
import type { Observed, ResourceSample } from '../../../domain/observed.ts';
import type { AttemptSummary } from '../../../domain/records/state.ts';
import { isOutsideCause } from '../../../domain/verdict.ts';
import type { Attempt } from '../attempt.ts';
import { GROWTH_FLOORS } from '../numbers.ts';

type GrowthFacts = Pick<Attempt, 'end' | 'observed' | 'resources' | 'history' | 'metricsWindowSeconds'>;

/**
 * Returns the growth of each resource as a ratio, 1 without growth: the larger of that within the moving window and that since the previous
 * attempt. A crossed limit counts as at least 2.
 */
export function growthOf(facts: GrowthFacts): Growth {
  const windows = windowsOf(facts);
  const previous = growthAgainst(previousOf(facts.history), facts.resources);
  const crossed = crossedOf(facts);
  return byResource((resource) => {
    const within = resource === 'time' ? 1 : (windows?.[resource].newest.ratio ?? 1);
    const over = crossed?.limit === RESOURCES[resource].kind ? GROWTH_STEPS.aggressive : 1;
    return Math.round(Math.max(1, previous[resource], within, over) * 100) / 100;
  });
}

type Crossed = NonNullable<Extract<AgentEnd, { kind: 'halted' }>['crossed']>;

export function crossedOf({ end }: Pick<Attempt, 'end'>): Crossed | null {
  return end.kind === 'halted' ? (end.crossed ?? null) : null;
}

/** Returns ratios to the previous attempt, 1 where either used too little to compare. */
export function growthAgainst(before: Resources | null, now: Resources): Growth {
  if (before === null) return NO_GROWTH;
  return byResource((resource) => {
    const floor = GROWTH_FLOORS[resource];
    const [one, other] = [before[RESOURCES[resource].used], now[RESOURCES[resource].used]];
    return one >= floor && other >= floor ? other / one : 1;
  });
}

/** Verdicts of attempts that were cut short or did nothing, whose usage isn't a measure. */
const NO_MEASURE = new Set(['no_files', 'agent_error', 'agent_blocked', 'review_blocked', 'timed_out']);

export function previousOf(history: readonly AttemptSummary[]): Resources | null {
  return (
    history.findLast(({ verdict }) => !isOutsideCause(verdict) && !NO_MEASURE.has(verdict))?.resources ?? null
  );
}

/** `value`: usage within a window, for memory the level at its end. `ratio`: to the previous window. */
type WindowGrowth = { readonly value: number; readonly ratio: number };
type Windows = Readonly<
  Record<
    'fileOperations' | 'tokens' | 'memory',
    { readonly newest: WindowGrowth; readonly previous: WindowGrowth }
  >
>;

/** Returns the two latest windows, each with its ratio to the one before; `null` for a shorter attempt. */
export function windowsOf({ observed, metricsWindowSeconds }: GrowthFacts): Windows | null {
  const { samples } = observed;
  const last = samples.at(-1);
  const width = metricsWindowSeconds * 1000;
  if (last === undefined || last.atMs < 2 * width) return null;
  const at = [0, 1, 2, 3].map((back) => sampleAt(samples, last.atMs - back * width));
  const rate = (resource: 'fileOperations' | 'tokens', back: number): number =>
    Math.max(0, (at[back]?.[resource] ?? 0) - (at[back + 1]?.[resource] ?? 0));
  const level = (back: number): number => at[back]?.memoryMb ?? 0;
  const windows = (value: (back: number) => number, floor: number) => {
    const growth = (back: number): WindowGrowth => {
      const used = value(back);
      const comparable = used >= floor && last.atMs >= (back + 2) * width;
      // A previous window counts as at least the floor: an agent that only thought for a minute used nothing.
      return { value: used, ratio: comparable ? used / Math.max(value(back + 1), floor) : 1 };
    };
    return { newest: growth(0), previous: growth(1) };
  };
  return {
    fileOperations: windows((back) => rate('fileOperations', back), GROWTH_FLOORS.fileOperations),
    tokens: windows((back) => rate('tokens', back), GROWTH_FLOORS.tokens),
    memory: windows(level, GROWTH_FLOORS.memory),
  };
}

const NOTHING_YET: ResourceSample = { atMs: 0, fileOperations: 0, tokens: 0, memoryMb: 0 };

/** Returns a sample at a time, interpolated between the neighbours, which may be far apart in a long attempt. */
function sampleAt(samples: Observed['samples'], atMs: number): ResourceSample {
  const next = samples.findIndex((sample) => sample.atMs > atMs);
  const before = samples.at(next < 0 ? -1 : next - 1);
  const one = next === 0 || before === undefined ? NOTHING_YET : before;
  const other = samples[next] ?? one;
  const share = other.atMs > one.atMs ? (atMs - one.atMs) / (other.atMs - one.atMs) : 0;
  const between = (from: number, to: number): number => from + Math.min(1, Math.max(0, share)) * (to - from);
  return {
    atMs,
    fileOperations: between(one.fileOperations, other.fileOperations),
    tokens: between(one.tokens, other.tokens),
    memoryMb: between(one.memoryMb, other.memoryMb),
  };
}
