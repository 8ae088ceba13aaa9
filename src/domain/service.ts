import * as z from 'zod/mini';

/**
 * What a model's service says in place of an answer. None of it is the task's failure.
 *
 * `rate_limited`: the account's share is used up; `throttled`: too many requests at once, over in seconds; `credit`:
 * what was paid for is used up; `auth`: the key is missing, wrong or expired; `model`: unknown or retired; `context`: the
 * request is longer than the model takes; `refused`: the request is against the service's rules.
 */
export const SERVICE_KINDS = [
  'rate_limited',
  'throttled',
  'credit',
  'auth',
  'model',
  'outage',
  'context',
  'refused',
] as const;
export const ServiceKind = z.enum(SERVICE_KINDS);
export type ServiceKind = z.infer<typeof ServiceKind>;

/** Why an agent can't work: its service, or its program doesn't start. */
export const UNAVAILABLE_KINDS = [...SERVICE_KINDS, 'spawn_failed'] as const;
export type UnavailableKind = (typeof UNAVAILABLE_KINDS)[number];

/** What ralph does and prints where an agent can't work for a reason of one kind. */
type Consequence = {
  /** On screen, behind the name of the agent. */
  readonly words: string;
  /** The beginning of a sentence that ends with the service's own words. */
  readonly cause: string;
  /**
   * Waits in a row after which the agent is given up for this run; 0: at once, as waiting doesn't help. Each wait is twice as
   * long as the one before (docs/adr/0013).
   */
  readonly waits: number;
  /** Whether ralph waits for the agent although another one could take over. */
  readonly holds: boolean;
  /** Whether the reason lies in the account, so that it holds on every machine of a fleet. */
  readonly ofAccount: boolean;
  /** Whether the reason lies in the one task, so that other tasks are tried first. */
  readonly ofTask: boolean;
  /** What you can do, as the text behind a colon. */
  readonly helps: (agent: string) => string;
};

/** The consequences of each reason. */
export const CONSEQUENCES: Readonly<Record<UnavailableKind, Consequence>> = {
  rate_limited: {
    words: 'usage limit',
    cause: 'The agent reached a usage limit',
    // 6 h 30 min in all.
    ...{ waits: 30, holds: false, ofAccount: true, ofTask: false },
    helps: (agent) => `see its plan; once it is lifted: ralph profile --agent ${agent} --reinstate`,
  },
  throttled: {
    words: 'throttled',
    cause: 'The agent sent too many requests at once',
    // A service that throttles for longer is treated as one whose limit is reached.
    ...{ waits: 3, holds: true, ofAccount: true, ofTask: false },
    helps: () => 'start fewer workers: ralph run --workers 1',
  },
  credit: {
    words: 'credit used up',
    cause: "The agent's account has no credit left",
    ...{ waits: 0, holds: false, ofAccount: true, ofTask: false },
    helps: () => 'add credit to its account, then: ralph run',
  },
  auth: {
    words: 'not signed in',
    cause: 'The agent is not signed in',
    // 3 min 30 s: a service that checks keys can be down, too.
    ...{ waits: 3, holds: false, ofAccount: false, ofTask: false },
    helps: (agent) => `start ${agent} by hand and sign in, or set its key; then: ralph doctor --agents`,
  },
  model: {
    words: 'unknown model',
    cause: "The agent's service doesn't have the model that was asked for",
    ...{ waits: 0, holds: false, ofAccount: false, ofTask: false },
    helps: (agent) => `name a model that it has in [runners.${agent}] model, then: ralph run`,
  },
  outage: {
    words: 'service out of reach',
    cause: "The agent's service is not available",
    // 1 h 30 min.
    ...{ waits: 10, holds: false, ofAccount: false, ofTask: false },
    helps: () => 'see whether its service works, then: ralph run',
  },
  context: {
    words: 'request too long',
    cause: 'The request was longer than the model takes',
    ...{ waits: 2, holds: false, ofAccount: false, ofTask: true },
    helps: () => 'split the task, or use a model with a larger context; then: ralph run',
  },
  refused: {
    words: 'refused by its service',
    cause: "The agent's service refused the request",
    ...{ waits: 2, holds: false, ofAccount: false, ofTask: true },
    helps: () => 'reword the task, or use another agent: ralph run --agent NAME',
  },
  spawn_failed: {
    words: 'not started',
    cause: 'The agent could not be started',
    ...{ waits: 0, holds: false, ofAccount: false, ofTask: false },
    helps: () => 'see ralph doctor',
  },
};

/** Whether such a reason ends without you, at a time that the service may name. */
export function isLimit(kind: string | undefined): kind is 'rate_limited' | 'throttled' {
  return kind === 'rate_limited' || kind === 'throttled';
}
