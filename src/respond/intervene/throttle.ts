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
import { formatDuration } from '../../lib/duration.ts';
import { bullets } from '../../lib/markdown.ts';
import { recordsOn } from './history.ts';
import type { InterventionInput } from './types.ts';

/** Below these an attempt is not possible: reading a file and writing one, an interpreter, a short answer. */
const FLOORS: Growth = { fileOperations: 5, memory: 128, tokens: 1000, time: 30 };

const ADVICE: Readonly<Record<Resource, string>> = {
  fileOperations:
    'Open a file once, and change it in one edit; search instead of opening one file after another.',
  memory: 'Do not start several builds, servers or test runs at once; process data piece by piece.',
  tokens: 'Do not print whole files or long outputs; read the part that you need.',
  time: 'Run the one test that matters, not all of them, until the work is nearly there.',
};

/** Clean iterations after which throttled limits recover one step. */
const RECOVERY_AFTER = 3;

/**
 * Lower limits for the coming attempts, each by its own growth (spec 3-interventions, Resource throttling), and half
 * the criteria. Scope creep lowers the file operations even without growth; where nothing is known to have grown, it
 * is the limit that the attempt got closest to.
 *
 * @param records the interventions of the series.
 */
export function lowered(
  input: InterventionInput,
  findings: readonly Finding[],
  records: readonly InterventionRecord[],
): { readonly limits: Limits; readonly growth: Growth } {
  const { limits, settings, task } = input;
  const { moderate } = settings.reduction_factors;
  // Details of your own detector may hold anything.
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
  // 0 stands for all criteria.
  const criteria = limits.batchSize || task.acceptance.length;
  next.batchSize = criteria === 0 ? 0 : Math.max(1, Math.floor(criteria / 2));
  return { limits: next, growth };
}

/** The throttle after limits were lowered: what each step of recovery gives back is kept. */
export function throttled(input: InterventionInput, limits: Limits, text: string): Throttle {
  const current = input.taskState.throttle;
  const before = current?.limits ?? input.configuredLimits;
  const steps = current?.steps ?? [];
  const same = Object.entries(before).every(([key, value]) => limits[key as keyof Limits] === value);
  return { limits, steps: same ? [...steps] : [...steps, before], clean: 0, text };
}

/**
 * The throttle after an iteration that lowered nothing: one step is given back after `RECOVERY_AFTER` clean iterations
 * in a row; `null` once the limits are the configuration's again.
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

/** The limits in force, with advice for what grew; Markdown for the next prompts. */
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

/** One sentence for each limit; 0 is none. */
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

/** The limit in the attempt (0: none) and what it used, in the units of the limits. */
function measure({ limits, resources, timeoutSeconds }: InterventionInput, resource: Resource) {
  if (resource === 'time') {
    const own = limits.executionSeconds;
    const limit = own === 0 ? timeoutSeconds : Math.min(own, timeoutSeconds);
    return { limit, used: resources.durationMs / 1000 };
  }
  return { limit: limits[RESOURCES[resource].limit], used: resources[RESOURCES[resource].used] };
}

/** A limit that isn't set is lowered from what the attempt used; for the time, from its timeout. */
function reduced(input: InterventionInput, resource: Resource, factor: number): number {
  const { limit, used } = measure(input, resource);
  const set = input.limits[RESOURCES[resource].limit];
  const from = limit === 0 ? used : limit;
  if (factor === 1 || from === 0) return set;
  const next = Math.max(FLOORS[resource], Math.round(from * factor));
  // The floor does not raise a limit that you set below it.
  return set === 0 ? next : Math.min(set, next);
}

/** What holds for a task after `resume_with_limits`, until it is done; Markdown for its prompts. */
export function restrictionNotice(incident: string, limits: Limits, task: Pick<Task, 'acceptance'>): string {
  return [
    `**LIMITS**: an earlier attempt at this task was stopped (${incident}). Each of your actions is reviewed before it happens; an attempt that crosses a limit is ended.`,
    bullets([
      'Allowed are: reading, writing files of the project, and commands that only read or are gates. Everything else is denied: do not try it in another form.',
      ...limitLines(limits, task),
    ]),
  ].join('\n\n');
}
