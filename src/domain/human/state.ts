import { counted } from 'ralph-kit/counted';
import * as z from 'zod/mini';
import { emptyOf } from '../empty-of.ts';
import { AuditHead, AuditLine, DecidedGate, GateRequest, NO_AUDIT, WhitelistEntry } from './gate.ts';

/** Number of newest decided requests that the state keeps. */
export const DECIDED_KEPT = 50;
/** Number of newest ended whitelist entries that the state keeps. */
export const WHITELIST_KEPT = 500;
/** Number of newest examples that the state keeps. */
export const EXAMPLES_KEPT = 50;
/** Number of a task's newest approved but not yet done actions that the state keeps. */
export const ACTIONS_KEPT = 50;

export const Detections = z.object({ confirmed: z.number(), falsePositives: z.number() });
export type Detections = z.infer<typeof Detections>;

/** Share of false positives above which a detector counts as wrong too often (docs/HUMAN_GATES.md). */
const MOST_FALSE = 0.1;

export type Noisy = { readonly pattern: string; readonly falsePositives: number; readonly decided: number };

/** Returns the kinds of findings of which you decided that over 10 % are false positives, most frequent first. */
export function noisyPatterns(detections: Readonly<Record<string, Detections>>): Noisy[] {
  return Object.entries(detections)
    .map(([pattern, { confirmed, falsePositives }]) => ({
      pattern,
      falsePositives,
      decided: confirmed + falsePositives,
    }))
    .filter(({ falsePositives, decided }) => falsePositives > decided * MOST_FALSE)
    .toSorted((a, b) => b.falsePositives - a.falsePositives || (a.pattern < b.pattern ? -1 : 1));
}

/** Returns a text such as `test_skip: 2 of 3 findings were false positives (67 %)`. */
export function noisyText({ pattern, falsePositives, decided }: Noisy): string {
  const share = Math.round((falsePositives / decided) * 100);
  return `${pattern}: ${falsePositives} of ${counted(decided, 'finding')} ${decided === 1 ? 'was a false positive' : 'were false positives'} (${share} %)`;
}

export const LegitimateExample = z.object({
  request: z.string(),
  patterns: z.array(z.string()),
  files: z.array(z.string()),
  reason: z.string(),
  at: z.string(),
});

export const Whitelisted = z.object({ ...WhitelistEntry.shape, removedAt: z.nullable(z.string()) });
export type Whitelisted = z.infer<typeof Whitelisted>;

export const GateTotals = z.object({
  opened: z.number(),
  autoApproved: z.number(),
  timedOut: z.number(),
  /** Number of decided requests by chosen option. */
  decided: z.record(z.string(), z.number()),
  /**
   * Seconds from request to decision, summed over all decided requests. `attempts`: failed attempts to recover before
   * the decision, summed too.
   */
  seconds: z.number(),
  attempts: z.number(),
});
export type GateTotals = z.infer<typeof GateTotals>;

export const NO_GATE_TOTALS = emptyOf(GateTotals);

export const HumanState = z.object({
  counters: z.object({ gate: z.number(), whitelist: z.number() }),
  /** Open requests, oldest first. */
  requests: z.array(GateRequest),
  decided: z.array(DecidedGate),
  /** Totals by name of the human gate. */
  totals: z.record(z.string(), GateTotals),
  /** Number of decisions that were attempted from inside an attempt. */
  refused: z.number(),
  audit: z.object({ head: AuditHead, lines: z.array(AuditLine) }),
  whitelist: z.array(Whitelisted),
  /** Your decisions by kind of finding. */
  detections: z.record(z.string(), Detections),
  /** Kinds of findings that ralph already reported to you as wrong too often. */
  told: z.array(z.string()),
  examples: z.array(LegitimateExample),
});
export type HumanState = z.infer<typeof HumanState>;

export const NO_HUMAN_STATE: HumanState = {
  ...emptyOf(HumanState),
  audit: { head: NO_AUDIT, lines: [] },
};

/** Your decisions about a task, kept until it is done. */
export const TaskDecisions = z.object({
  agent: z.nullable(z.string()),
  /** Requests that you approved, each with the hash of its change. */
  approved: z.array(z.object({ request: z.string(), diffSha256: z.nullable(z.string()) })),
  /** Incident after which you chose to approve each action of the task; `null`: actions aren't approved one by one. */
  manual: z.nullable(z.string()),
  /** Approved actions that haven't happened yet: each may happen once. */
  actions: z.array(z.object({ request: z.string(), sha256: z.string() })),
});
export type TaskDecisions = z.infer<typeof TaskDecisions>;

export const NO_TASK_DECISIONS = emptyOf(TaskDecisions);

/** Returns a task's open requests about single actions, oldest first. */
export function actionRequestsOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest[] {
  return human.requests.filter(({ facts, action }) => facts.taskId === taskId && action !== null);
}

/** Returns all open requests of a task: the one that the task waits for, and those about single actions. */
export function openRequestsOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest[] {
  return human.requests.filter(({ facts }) => facts.taskId === taskId);
}

/**
 * Returns the open request that a task waits for; `null`: none. A request about a single action doesn't make the task
 * wait.
 */
export function requestOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest | null {
  return human.requests.find(({ facts, action }) => facts.taskId === taskId && action === null) ?? null;
}
