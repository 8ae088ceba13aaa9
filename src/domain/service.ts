import { SERVICE_KINDS, type ServiceKind } from 'ralph-agents/event';
import * as z from 'zod/mini';

/** Reasons why an agent can't work: failures of its service, and `spawn_failed` if its program doesn't start. */
export const UNAVAILABLE_KINDS = [...SERVICE_KINDS, 'spawn_failed'] as const;
export type UnavailableKind = (typeof UNAVAILABLE_KINDS)[number];

/** Why an agent can't work, and until when (`decide/choice/available-agent.ts`). The cause is outside the work. */
export const Unavailable = z.object({
  kind: z.enum(UNAVAILABLE_KINDS),
  /** Message in the agent's own words. */
  message: z.string(),
  /** End of the first of the failed attempts in a row, ISO 8601 UTC. */
  since: z.string(),
  /** Time of the next attempt, ISO 8601 UTC; `null`: none in this run. */
  until: z.nullable(z.string()),
  /** Number of attempts in a row that a cause outside the work ended. */
  tries: z.number(),
  /**
   * True: the agent reported `until` as the time when its limit ends. False: ralph chose `until`, and waits longer
   * after each failure.
   */
  resetKnown: z.boolean(),
});
export type Unavailable = z.infer<typeof Unavailable>;

type Consequence = {
  readonly words: string;
  /** Beginning of a sentence that ends with the service's own words. */
  readonly cause: string;
  /**
   * Number of waits in a row after which the run gives up the agent; each is twice as long (docs/adr/0013). 0: waiting
   * doesn't help.
   */
  readonly waits: number;
  /** Set if ralph waits for the agent even if another agent could replace it. */
  readonly waitsForAgent?: true;
  /** What the cause concerns: the account on all machines of a fleet, the task alone (other tasks come first), or the agent here. */
  readonly concerns: 'account' | 'task' | 'agent';
  readonly helps: (agent: string) => string;
};

export const CONSEQUENCES: Readonly<Record<UnavailableKind, Consequence>> = {
  rate_limited: {
    words: 'usage limit',
    cause: 'The agent reached a usage limit',
    // With their growing lengths, 30 waits take 6 h 30 min in all.
    waits: 30,
    concerns: 'account',
    helps: (agent) => `see its plan; once it is lifted: ralph profile --agent ${agent} --reinstate`,
  },
  throttled: {
    words: 'throttled',
    cause: 'The agent sent too many requests at once',
    // If a service throttles requests for longer than three waits, ralph treats it like a usage limit.
    waits: 3,
    waitsForAgent: true,
    concerns: 'account',
    helps: () => 'start fewer workers: ralph run --workers 1',
  },
  credit: {
    words: 'credit used up',
    cause: "The agent's account has no credit left",
    waits: 0,
    concerns: 'account',
    helps: () => 'add credit to its account, then: ralph run',
  },
  auth: {
    words: 'not signed in',
    cause: 'The agent is not signed in',
    // Three waits take 3 min 30 s. They help if the service that checks keys is down.
    waits: 3,
    concerns: 'agent',
    helps: (agent) => `start ${agent} by hand and sign in, or set its key; then: ralph doctor --agents`,
  },
  model: {
    words: 'unknown model',
    cause: "The agent's service doesn't have the model that was asked for",
    waits: 0,
    concerns: 'agent',
    helps: (agent) => `name a model that it has in [runners.${agent}] model, then: ralph run`,
  },
  outage: {
    words: 'service out of reach',
    cause: "The agent's service is not available",
    // With their growing lengths, ten waits take 1 h 30 min.
    waits: 10,
    concerns: 'agent',
    helps: () => 'see whether its service works, then: ralph run',
  },
  context: {
    words: 'request too long',
    cause: 'The request was longer than the model takes',
    waits: 2,
    concerns: 'task',
    helps: () => 'split the task, or use a model with a larger context; then: ralph run',
  },
  refused: {
    words: 'refused by its service',
    cause: "The agent's service refused the request",
    waits: 2,
    concerns: 'task',
    helps: () => 'reword the task, or use another agent: ralph run --agent NAME',
  },
  spawn_failed: {
    words: 'not started',
    cause: 'The agent could not be started',
    waits: 0,
    concerns: 'agent',
    helps: () => 'see ralph doctor',
  },
};

/**
 * Milliseconds for which an agent's program may repeat a failed request. By default programs repeat for up to 263 s
 * (gemini), or without end.
 */
export const RETRIES_MS = 5 * 60_000;

export const ServiceRetries = z.object({
  tries: z.number(),
  /**
   * Milliseconds from the first failure to the answer, summed over all repeated requests. They don't count as the
   * task's time.
   */
  waitedMs: z.number(),
  answer: z.string(),
});
export type ServiceRetries = z.infer<typeof ServiceRetries>;

export const AgentRetries = z.object({ agent: z.string(), ...ServiceRetries.shape });
export type AgentRetries = z.infer<typeof AgentRetries>;

/** Returns the repeated requests with those of one more attempt or run, whose answer counts as the newest. */
export function addRetries(all: readonly AgentRetries[], one: AgentRetries): AgentRetries[] {
  const listed = all.find(({ agent }) => agent === one.agent);
  const sum = {
    ...one,
    tries: one.tries + (listed?.tries ?? 0),
    waitedMs: one.waitedMs + (listed?.waitedMs ?? 0),
  };
  return [...all.filter((other) => other !== listed), sum];
}

/**
 * Returns words for a service's answer, or for its absence, as the beginning of a sentence.
 * @param status HTTP status; `null`: unknown.
 */
export function saysText(status: number | null, kind: ServiceKind): string {
  return status === null ? CONSEQUENCES[kind].words : `the service says ${status}`;
}

/** A repeated request on screen. `attempt`: number of the next try; `of`: number of all tries, `null`: not reported. */
export const RetryShown = z.object({ answer: z.string(), attempt: z.number(), of: z.nullable(z.number()) });
export type RetryShown = z.infer<typeof RetryShown>;

/** Returns a text such as "the service says 503, try 4 of 10". */
export function retryText({ answer, attempt, of }: RetryShown): string {
  return `${answer}, try ${attempt}${of === null ? '' : ` of ${of}`}`;
}
