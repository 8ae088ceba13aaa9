import * as z from 'zod/mini';
import { counted } from '../../lib/counted.ts';
import { AuditHead, AuditLine, DecidedGate, GateRequest, NO_AUDIT, WhitelistEntry } from './gate.ts';

/** Decided requests, whitelist entries that are over and examples that the state keeps, the newest. */
export const DECIDED_KEPT = 50;
export const WHITELIST_KEPT = 500;
export const EXAMPLES_KEPT = 50;
/** Approved actions of a task that haven't happened yet, the newest. */
export const ACTIONS_KEPT = 50;

/** How findings of a kind fared at the gates. */
export const Detections = z.object({ confirmed: z.number(), falsePositives: z.number() });
export type Detections = z.infer<typeof Detections>;

/** A share of false positives above this says that a detector is wrong too often (spec 5-human-gates, Whitelist). */
const MOST_FALSE = 0.1;

/** A kind of finding that is wrong too often. */
export type Noisy = { readonly pattern: string; readonly falsePositives: number; readonly decided: number };

/** Kinds of findings of which over 10 % were false positives, by your decisions; the most frequent first. */
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

/** `test_skip: 2 of 3 findings were false positives (67 %)` */
export function noisyText({ pattern, falsePositives, decided }: Noisy): string {
  const share = Math.round((falsePositives / decided) * 100);
  return `${pattern}: ${falsePositives} of ${counted(decided, 'finding')} ${decided === 1 ? 'was a false positive' : 'were false positives'} (${share} %)`;
}

/** A confirmed false positive, kept as an example. */
export const LegitimateExample = z.object({
  request: z.string(),
  patterns: z.array(z.string()),
  files: z.array(z.string()),
  reason: z.string(),
  at: z.string(),
});

/** A whitelist entry, and when you took it out. */
export const Whitelisted = z.object({ ...WhitelistEntry.shape, removedAt: z.nullable(z.string()) });
export type Whitelisted = z.infer<typeof Whitelisted>;

/** Counts for the metrics, since the beginning. */
export const GateTotals = z.object({
  opened: z.number(),
  autoApproved: z.number(),
  timedOut: z.number(),
  /** By option. */
  decided: z.record(z.string(), z.number()),
  /** Seconds between a request and its decision, and attempts to recover before it, summed. */
  seconds: z.number(),
  attempts: z.number(),
});
export type GateTotals = z.infer<typeof GateTotals>;

export const NO_GATE_TOTALS: GateTotals = {
  opened: 0,
  autoApproved: 0,
  timedOut: 0,
  decided: {},
  seconds: 0,
  attempts: 0,
};

/** What waits for your decision, and what you decided. */
export const HumanState = z.object({
  /** The newest request and whitelist entry. */
  counters: z.object({ gate: z.number(), whitelist: z.number() }),
  /** Open requests, oldest first. */
  requests: z.array(GateRequest),
  decided: z.array(DecidedGate),
  /** By gate. */
  totals: z.record(z.string(), GateTotals),
  /** Decisions that were tried from inside of an attempt. */
  refused: z.number(),
  audit: z.object({ head: AuditHead, lines: z.array(AuditLine) }),
  whitelist: z.array(Whitelisted),
  /** By pattern. */
  detections: z.record(z.string(), Detections),
  /** Patterns of which you were told that they are wrong too often. */
  told: z.array(z.string()),
  examples: z.array(LegitimateExample),
});
export type HumanState = z.infer<typeof HumanState>;

export const NO_HUMAN_STATE: HumanState = {
  counters: { gate: 0, whitelist: 0 },
  requests: [],
  decided: [],
  totals: {},
  refused: 0,
  audit: { head: NO_AUDIT, lines: [] },
  whitelist: [],
  detections: {},
  told: [],
  examples: [],
};

/** What you decided about a task, until it is done. */
export const TaskDecisions = z.object({
  /** The agent that it was delegated to. */
  agent: z.nullable(z.string()),
  /** Requests that you approved, with the hash of the change that each was about. */
  approved: z.array(z.object({ request: z.string(), diffSha256: z.nullable(z.string()) })),
  /** The incident after which you chose that each of its actions waits for you; `null`: none does. */
  manual: z.nullable(z.string()),
  /** Actions that you approved and that haven't happened yet: each may happen once. */
  actions: z.array(z.object({ request: z.string(), sha256: z.string() })),
});
export type TaskDecisions = z.infer<typeof TaskDecisions>;

export const NO_TASK_DECISIONS: TaskDecisions = { agent: null, approved: [], manual: null, actions: [] };

/** The open requests about single actions of a task, oldest first. */
export function actionRequestsOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest[] {
  return human.requests.filter(({ facts, action }) => facts.taskId === taskId && action !== null);
}

/** What is open about a task: the request at which it waits, else those about single actions. */
export function openRequestsOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest[] {
  return human.requests.filter(({ facts }) => facts.taskId === taskId);
}

/** The open request at which a task waits; `null`: there is none. An action that waits keeps no task waiting. */
export function requestOf(human: Pick<HumanState, 'requests'>, taskId: string): GateRequest | null {
  return human.requests.find(({ facts, action }) => facts.taskId === taskId && action === null) ?? null;
}
