import { formatDuration } from 'ralph-kit/duration';
import { bullets } from 'ralph-kit/markdown';
import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import {
  byResource,
  GROWTH_STEPS,
  Growth,
  type InterventionRecord,
  type Limits,
  NO_GROWTH,
  RESOURCE_NAMES,
  RESOURCES,
  type Resource,
  type Throttle,
} from '../../domain/intervention.ts';
import type { Task } from '../../domain/task.ts';
import { recordsOn } from './history.ts';
import type { InterventionInput } from './types.ts';

/** Lowest limits of an attempt: enough to read and write a file, start an interpreter, and give a short answer. */
const FLOORS: Growth = { fileOperations: 5, memory: 128, tokens: 1000, time: 30 };

const ADVICE: Readonly<Record<Resource, string>> = {
  fileOperations:
    'Open a file once, and change it in one edit; search instead of opening one file after another.',
  memory: 'Do not start several builds, servers or test runs at once; process data piece by piece.',
  tokens: 'Do not print whole files or long outputs; read the part that you need.',
  time: 'Run the one test that matters, not all of them, until the work is nearly there.',
};

/** Number of iterations in a row without findings that undo one step. */
const RECOVERY_AFTER = 3;

/**
 * Returns lowered limits. Each is lowered by the growth of its own resource (docs/INTERVENTIONS.md
 * throttling), and the number of criteria is halved. Scope creep lowers file operations even without growth. If nothing
 * grew, the limit that came closest to being crossed is lowered.
 */
export function lowered(
  input: InterventionInput,
  findings: readonly Finding[],
  records: readonly InterventionRecord[],
): { readonly limits: Limits; readonly growth: Growth } {
  const { limits, settings, task } = input;
  const { moderate } = settings.reduction_factors;
  // The details of your own detectors may have any content.
  const growths = findings.map(({ details }) => Growth.safeParse(details.growth).data ?? NO_GROWTH);
  const growth = byResource((resource) => Math.max(1, ...growths.map((one) => one[resource])));
  const repeated = findings.some(
    ({ type }) =>
      type === 'resource_spiral' &&
      recordsOn(records, type).some((record) => record.type === 'resource_throttling'),
  );
  const factors = byResource((resource) => factorFor(growth[resource], repeated, settings));
  if (findings.some(({ type }) => type === 'scope_creep')) {
    factors.fileOperations = Math.min(factors.fileOperations, moderate);
  }
  if (RESOURCE_NAMES.every((resource) => factors[resource] === 1)) {
    const share = (resource: Resource) => {
      const { limit, used } = measure(input, resource);
      return limit === 0 ? 0 : used / limit;
    };
    const closest = RESOURCE_NAMES.reduce((one, other) => (share(other) > share(one) ? other : one));
    factors[closest] = moderate;
  }
  const next = { ...limits };
  for (const resource of RESOURCE_NAMES) {
    next[RESOURCES[resource].limit] = reduced(input, resource, factors[resource]);
  }
  // A batch size of 0 means all criteria.
  const criteria = limits.batchSize || task.acceptance.length;
  next.batchSize = criteria === 0 ? 0 : Math.max(1, Math.floor(criteria / 2));
  return { limits: next, growth };
}

/** Returns the state after limits were lowered. Each time is kept as a step, so that it can be undone. */
export function throttled(input: InterventionInput, limits: Limits, text: string): Throttle {
  const current = input.taskState.throttle;
  const before = current?.limits ?? input.configuredLimits;
  const steps = current?.steps ?? [];
  const same = Object.entries(before).every(([key, value]) => limits[key as keyof Limits] === value);
  return { limits, steps: same ? [...steps] : [...steps, before], clean: 0, text };
}

/**
 * Returns the state after an iteration. Every `RECOVERY_AFTER` iterations without findings undo a step; `null`: the
 * configured limits apply again.
 */
export function recovered({ taskState, findings, task }: InterventionInput): Throttle | null {
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

/** Returns a notice about limits, in Markdown for the next prompts. */
export function throttleNotice(limits: Limits, growth: Growth, task: Pick<Task, 'acceptance'>): string {
  const grown = RESOURCE_NAMES.filter((resource) => growth[resource] > GROWTH_STEPS.moderate);
  return [
    '**LIMITS**: the limits of your attempts at this task are lowered. An attempt that crosses one is ended.',
    bullets([
      ...limitLines(limits, task),
      ...grown.map((resource) => ADVICE[resource]),
      'Write what you have into the files early: what is there when a limit ends you stays there.',
    ]),
  ].join('\n\n');
}

/** Returns a line for each limit. A limit of 0 means no limit. */
function limitLines(
  { fileOperations, memoryMb, tokens, executionSeconds, batchSize }: Limits,
  { acceptance }: Pick<Task, 'acceptance'>,
): string[] {
  const criteria = batchSize === 1 ? 'one' : batchSize;
  const lines: readonly (readonly [shown: boolean, text: string])[] = [
    [fileOperations > 0, `File operations: at most ${fileOperations}.`],
    [memoryMb > 0, `Memory of all your processes together: at most ${memoryMb} MiB.`],
    [tokens > 0, `Tokens: at most ${tokens}.`],
    [executionSeconds > 0, `Time: at most ${formatDuration(executionSeconds * 1000)}.`],
    [
      batchSize > 0 && batchSize < acceptance.length,
      `Acceptance criteria: work at the first ${criteria} not yet met, then end with IN_PROGRESS.`,
    ],
  ];
  return lines.flatMap(([shown, text]) => (shown ? [text] : []));
}

function factorFor(
  growth: number,
  repeated: boolean,
  { reduction_factors: factors }: Pick<InterventionSettings, 'reduction_factors'>,
): number {
  if (growth <= GROWTH_STEPS.moderate) return 1;
  if (repeated || growth > GROWTH_STEPS.severe) return factors.severe;
  if (growth > GROWTH_STEPS.aggressive) return factors.aggressive;
  return growth > GROWTH_STEPS.high ? factors.high : factors.moderate;
}

/** Returns a resource's use and limit in the limit's unit. A limit of 0 means no limit. */
function measure({ limits, resources, timeoutSeconds }: InterventionInput, resource: Resource) {
  if (resource === 'time') {
    const own = limits.executionSeconds;
    const limit = own === 0 ? timeoutSeconds : Math.min(own, timeoutSeconds);
    return { limit, used: resources.durationMs / 1000 };
  }
  return { limit: limits[RESOURCES[resource].limit], used: resources[RESOURCES[resource].used] };
}

/** Returns a lowered limit. If none is set, it is based on the attempt's usage, and for time on the timeout. */
function reduced(input: InterventionInput, resource: Resource, factor: number): number {
  const { limit, used } = measure(input, resource);
  const set = input.limits[RESOURCES[resource].limit];
  const from = limit === 0 ? used : limit;
  if (factor === 1 || from === 0) return set;
  const next = Math.max(FLOORS[resource], Math.round(from * factor));
  // A limit of yours that is lower than the floor isn't raised.
  return set === 0 ? next : Math.min(set, next);
}

/** Returns a notice in Markdown for prompts after `resume_with_limits`, until the task is done. */
export function restrictionNotice(incident: string, limits: Limits, task: Pick<Task, 'acceptance'>): string {
  return [
    `**LIMITS**: an earlier attempt at this task was stopped (${incident}). Each of your actions is reviewed before it happens; an attempt that crosses a limit is ended.`,
    bullets([
      'Allowed are: reading, writing files of the project, and commands that only read or are gates. Everything else is denied: do not try it in another form.',
      ...limitLines(limits, task),
    ]),
  ].join('\n\n');
}
