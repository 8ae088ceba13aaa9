import type { AgentEvent } from 'ralph-agents/event';
import * as z from 'zod/mini';
import type { GateJudgement, GateResult } from './gate.ts';
import { Cost } from './policy.ts';
import { JOURNAL_TYPES, type JournalBody } from './records/journal.ts';
import { ReviewMode } from './review.ts';
import type { RunReport } from './run-report.ts';
import { RetryShown, UNAVAILABLE_KINDS } from './service.ts';
import type { TestComparison } from './test-results.ts';

/** The result of one check. A run refuses to start with an `error`. */
export const Checked = z.object({
  status: z.enum(['ok', 'info', 'warning', 'error']),
  title: z.string(),
  /** Observed facts; may be empty. */
  detail: z.string(),
  /** A command to paste or an instruction; `null` only if nothing needs fixing. */
  fix: z.nullable(z.string()),
});
export type Checked = Readonly<z.infer<typeof Checked>>;

const names = z.readonly(z.array(z.string()));

/** A wait for agents that can't start before `until`, the pause you asked for, or an answer from a chat. Times are ISO 8601 UTC. */
const Wait = z.discriminatedUnion('for', [
  z.object({
    for: z.literal('agent'),
    agent: z.string(),
    cause: z.enum(UNAVAILABLE_KINDS),
    reason: z.string(),
    until: z.string(),
    working: z.number(),
  }),
  z.object({ for: z.literal('you'), since: z.string() }),
  z.object({ for: z.literal('answer'), until: z.string(), tasks: z.array(z.string()) }),
]);

/** Entries that only followers of a run get. Neither the journal nor the state keeps them. */
const passing = [
  z.object({ type: z.literal('warned'), message: z.string() }),
  z.object({ type: z.literal('setup_checked'), findings: z.readonly(z.array(Checked)) }),
  /** How an agent's actions are reviewed from now on. `how`: how its hook is connected, or why it has no hook. */
  z.object({ type: z.literal('review_planned'), agent: z.string(), mode: ReviewMode, how: z.string() }),
  z.object({ type: z.literal('guidance_sent'), agent: z.string(), text: z.string() }),
  z.object({
    type: z.literal('agent_reported'),
    event: z.custom<AgentEvent>(),
    /** The action on one short line; `null`: the event isn't a tool call. */
    action: z.nullable(z.string()),
    /** Tokens that the agent reported for this attempt so far; `null`: none reported. */
    tokens: z.nullable(z.number()),
    /**
     * How often the agent's program has repeated a request without an answer; absent: the event isn't such a repeat.
     */
    retry: z.optional(RetryShown),
  }),
  /**
   * Roles beside the maker start: planners one by one, reviewers together. A name includes the agent if it isn't the
   * maker's.
   */
  z.object({ type: z.literal('roles_started'), phase: z.enum(['plan', 'check']), roles: names }),
  /** A role has ended. `null`: all roles beside the maker ended, with their results. */
  z.object({
    type: z.literal('roles_finished'),
    role: z.nullable(z.string()),
    /** One of `planned`, `approved`, `asks for changes (2 findings)`, `failed: …`. */
    results: z.readonly(z.array(z.object({ role: z.string(), outcome: z.string() }))),
  }),
  /** `one`: the gate that starts, with its number among all gates; `null`: all gates start at once. */
  z.object({
    type: z.literal('gates_started'),
    gates: names,
    baseline: z.boolean(),
    one: z.nullable(z.object({ number: z.number(), of: z.number() })),
  }),
  /**
   * `gate`: the gate that ended; `null`: all gates ended. `baseline`: results before the first attempt, otherwise
   * empty.
   */
  z.object({
    type: z.literal('gates_finished'),
    gate: z.nullable(z.string()),
    baseline: z.custom<readonly GateResult[]>(),
    judgements: z.custom<readonly GateJudgement[]>(),
    results: z.custom<readonly TestComparison[]>(),
  }),
  z.object({ type: z.literal('wait_started'), wait: Wait }),
  /** `over`: false if you stopped the run during the wait. */
  z.object({
    type: z.literal('wait_finished'),
    for: z.enum(['agent', 'you', 'answer']),
    durationMs: z.number(),
    over: z.boolean(),
  }),
  z.object({
    type: z.literal('budget_reached'),
    at: z.enum(['warn', 'downgrade', 'finish']),
    limits: Cost,
    spent: Cost,
  }),
  z.object({ type: z.literal('run_reported'), report: z.custom<RunReport>() }),
] as const;

const PassingEntry = z.discriminatedUnion('type', [...passing]);
type PassingEntry = z.infer<typeof PassingEntry>;

/** Something that happened. Screen, documents and notifications are made only from entries (ADR 100). */
export type Entry = JournalBody | PassingEntry;
export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;

const PASSING: ReadonlySet<string> = new Set(passing.flatMap((one) => one.shape.type.def.values));

export const ENTRY_TYPES: readonly string[] = [...JOURNAL_TYPES, ...PASSING];

export function isKept(entry: Entry): entry is JournalBody {
  return !PASSING.has(entry.type);
}
