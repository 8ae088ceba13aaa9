import type { Finding } from '../domain/finding.ts';
import { Growth, type InterventionRecord, type Limits, type Throttle } from '../domain/intervention.ts';
import type { InterventionSettings } from '../domain/intervention-settings.ts';
import { GROWTH_STEPS, RECOVERY_AFTER } from '../domain/ladders.ts';
import { recordsOn } from './history.ts';
import type { ControlInput } from './input.ts';
import { throttleNotice } from './throttle-notice.ts';

type Resource = keyof Growth;

/** Below these an attempt is no longer possible: reading a file and writing one, an interpreter, a short answer. */
const FLOORS: Readonly<Record<Resource, number>> = { fileOperations: 5, memory: 128, tokens: 1000, time: 30 };

const RESOURCES: readonly Resource[] = ['fileOperations', 'memory', 'tokens', 'time'];
const LIMIT_OF = {
  fileOperations: 'fileOperations',
  memory: 'memoryMb',
  tokens: 'tokens',
  time: 'executionSeconds',
} as const satisfies Readonly<Record<Resource, keyof Limits>>;

export const NO_GROWTH: Growth = { fileOperations: 1, memory: 1, tokens: 1, time: 1 };

export type Lowered = { readonly limits: Limits; readonly growth: Growth };

/**
 * Lower limits for the coming attempts, each by its own growth (spec 3-interventions, Resource throttling), and half
 * the criteria. Scope creep lowers the file operations even without growth; where nothing is known to have grown, it
 * is the limit that the attempt came closest to.
 *
 * @param records the interventions of the series.
 */
export function lowered(
  input: ControlInput,
  findings: readonly Finding[],
  records: readonly InterventionRecord[],
): Lowered {
  const { limits, settings, task } = input;
  const growth = findings.map(growthIn).reduce(highest, NO_GROWTH);
  const repeated = findings.some(({ type }) => type === 'resource_spiral' && wasThrottled(records, type));
  const factors = {} as Record<Resource, number>;
  for (const resource of RESOURCES) factors[resource] = factorFor(growth[resource], repeated, settings);
  if (findings.some(({ type }) => type === 'scope_creep')) {
    factors.fileOperations = Math.min(factors.fileOperations, settings.reductionFactors.moderate);
  }
  if (RESOURCES.every((resource) => factors[resource] === 1)) {
    factors[closestToLimit(input)] = settings.reductionFactors.moderate;
  }
  const next = { ...limits };
  for (const resource of RESOURCES) {
    next[LIMIT_OF[resource]] = reduced(inForce(input, resource), resource, factors[resource]);
  }
  next.batchSize = halved(limits.batchSize, task.acceptance.length);
  return { limits: next, growth };
}

/** The throttle after limits were lowered: what each step of recovery gives back is kept. */
export function throttled(input: ControlInput, limits: Limits, text: string): Throttle {
  const current = input.taskState.throttle;
  const before = current?.limits ?? input.configured;
  const steps = current?.steps ?? [];
  const same = Object.entries(before).every(([key, value]) => limits[key as keyof Limits] === value);
  return { limits, steps: same ? [...steps] : [...steps, before], clean: 0, text };
}

/**
 * The throttle after an iteration that lowered nothing: one step is given back after `RECOVERY_AFTER` clean iterations
 * in a row; `null` once the limits are the configuration's again.
 */
export function recovered({ taskState, findings, task }: ControlInput): Throttle | null {
  const current = taskState.throttle;
  if (current === null) return null;
  if (findings.length > 0) return { ...current, clean: 0 };
  const clean = current.clean + 1;
  if (clean < RECOVERY_AFTER) return { ...current, clean };
  const limits = current.steps.at(-1);
  const steps = current.steps.slice(0, -1);
  if (limits === undefined || steps.length === 0) return null;
  return { limits, steps, clean: 0, text: throttleNotice(limits, NO_GROWTH, task) };
}

/** What a detector measured; details of a person's detector may hold anything. */
function growthIn({ details }: Finding): Growth {
  const { growth } = details;
  const read = Growth.safeParse(growth);
  return read.success ? read.data : NO_GROWTH;
}

function highest(one: Growth, other: Growth): Growth {
  const growth = { ...one };
  for (const resource of RESOURCES) growth[resource] = Math.max(one[resource], other[resource]);
  return growth;
}

function wasThrottled(records: readonly InterventionRecord[], issue: string): boolean {
  return recordsOn(records, issue).some(({ type }) => type === 'resource_throttling');
}

function factorFor(
  growth: number,
  repeated: boolean,
  { reductionFactors }: Pick<InterventionSettings, 'reductionFactors'>,
): number {
  if (growth <= GROWTH_STEPS.moderate) return 1;
  if (repeated || growth > GROWTH_STEPS.severe) return reductionFactors.severe;
  if (growth > GROWTH_STEPS.aggressive) return reductionFactors.aggressive;
  return growth > GROWTH_STEPS.high ? reductionFactors.high : reductionFactors.moderate;
}

/** What held in the attempt, and what it used, in the units of the limits. */
function measure({ limits, resources, timeoutSeconds }: ControlInput, resource: Resource) {
  if (resource === 'time') {
    const own = limits.executionSeconds;
    const limit = own === 0 ? timeoutSeconds : Math.min(own, timeoutSeconds);
    return { limit, used: resources.durationMs / 1000 };
  }
  return {
    limit: limits[LIMIT_OF[resource]],
    used: resources[resource === 'memory' ? 'memoryMb' : resource],
  };
}

type InForce = {
  /** The limit as it is set; 0: none. */
  readonly set: number;
  /** What is lowered; 0 where there is neither a limit nor a measurement. */
  readonly from: number;
};

/** A limit that is not set is lowered from what the attempt used; for the time, from its timeout. */
function inForce(input: ControlInput, resource: Resource): InForce {
  const { limit, used } = measure(input, resource);
  return { set: input.limits[LIMIT_OF[resource]], from: limit === 0 ? used : limit };
}

function reduced({ set, from }: InForce, resource: Resource, factor: number): number {
  if (factor === 1 || from === 0) return set;
  const next = Math.max(FLOORS[resource], Math.round(from * factor));
  // The floor does not raise a limit that a person set below it.
  return set === 0 ? next : Math.min(set, next);
}

function closestToLimit(input: ControlInput): Resource {
  const share = (resource: Resource) => {
    const { limit, used } = measure(input, resource);
    return limit === 0 ? 0 : used / limit;
  };
  return RESOURCES.reduce((best, resource) => (share(resource) > share(best) ? resource : best));
}

/** 0 stands for all criteria. */
function halved(batchSize: number, criteria: number): number {
  const now = batchSize === 0 ? criteria : batchSize;
  return now === 0 ? 0 : Math.max(1, Math.floor(now / 2));
}
