import * as z from 'zod/mini';
import type { AgentEvent } from './agent.ts';
import type { GateJudgement, GateResult } from './gate.ts';
import { Cost } from './policy.ts';
import { JOURNAL_TYPES, type JournalBody } from './records/journal.ts';
import { ReviewMode } from './review.ts';
import type { RunReport } from './run-report.ts';
import { UNAVAILABLE_KINDS } from './service.ts';
import type { TestComparison } from './test-results.ts';

/** One thing that was checked. With an `error`, a run would refuse. */
export const Checked = z.object({
  status: z.enum(['ok', 'info', 'warning', 'error']),
  title: z.string(),
  /** What was seen; may be empty. */
  detail: z.string(),
  /** How to fix it: a command to paste or an instruction; `null` only where nothing needs it. */
  fix: z.nullable(z.string()),
});
export type Checked = Readonly<z.infer<typeof Checked>>;

const names = z.readonly(z.array(z.string()));

/** The agents that nothing can start with before `until`, or the pause that you asked for. Times in ISO 8601 UTC. */
const Wait = z.discriminatedUnion('for', [
  z.object({
    for: z.literal('agent'),
    agent: z.string(),
    cause: z.enum(UNAVAILABLE_KINDS),
    /** Why, with times in ISO 8601 UTC. */
    reason: z.string(),
    until: z.string(),
    /** Tasks that are worked at meanwhile. */
    working: z.number(),
  }),
  z.object({ for: z.literal('you'), since: z.string() }),
]);

/** Entries that pass: they reach whoever follows the log, and neither the journal nor the state. */
const passing = [
  z.object({ type: z.literal('warned'), message: z.string() }),
  /** What was checked before the run, and is worth knowing. */
  z.object({ type: z.literal('setup_checked'), findings: z.readonly(z.array(Checked)) }),
  /** How an agent's actions are reviewed from now on; `how`: the transport of its hook, or why there is none. */
  z.object({ type: z.literal('review_planned'), agent: z.string(), mode: ReviewMode, how: z.string() }),
  /** Your guidance reached the agent while it works. */
  z.object({ type: z.literal('guidance_sent'), agent: z.string(), text: z.string() }),
  z.object({
    type: z.literal('agent_reported'),
    event: z.custom<AgentEvent>(),
    /** One short line for a tool call, `null` for other events. */
    action: z.nullable(z.string()),
    /** Tokens that the agent reported for this attempt so far; `null`: it hasn't reported any. */
    tokens: z.nullable(z.number()),
  }),
  /** Roles beside the maker begin: planners one by one, reviewers together; with their agents, where these aren't the maker's. */
  z.object({ type: z.literal('roles_started'), phase: z.enum(['plan', 'check']), roles: names }),
  /** `role`: the one of them that has ended, which may be the maker; `null`: all beside it have, with their results. */
  z.object({
    type: z.literal('roles_finished'),
    role: z.nullable(z.string()),
    /** `outcome`: `planned`, `approved`, `asks for changes (2 findings)`, `failed: …`. */
    results: z.readonly(z.array(z.object({ role: z.string(), outcome: z.string() }))),
  }),
  /** `one`: which of how many begins now, one after the other or at once; `null`: all of them do, one way or the other. */
  z.object({
    type: z.literal('gates_started'),
    gates: names,
    baseline: z.boolean(),
    one: z.nullable(z.object({ number: z.number(), of: z.number() })),
  }),
  /** `gate`: the one of them that is over; `null`: all are, with their results. `baseline`: those before the first attempt; else empty. */
  z.object({
    type: z.literal('gates_finished'),
    gate: z.nullable(z.string()),
    baseline: z.custom<readonly GateResult[]>(),
    judgements: z.custom<readonly GateJudgement[]>(),
    results: z.custom<readonly TestComparison[]>(),
  }),
  z.object({ type: z.literal('wait_started'), wait: Wait }),
  /** `over`: the time was over, the state of the agents changed, or you continued; else you stopped it. */
  z.object({
    type: z.literal('wait_finished'),
    for: z.enum(['agent', 'you']),
    durationMs: z.number(),
    over: z.boolean(),
  }),
  /** A further step of the budget is reached. */
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

/** Something that happened: all that the screen, the documents and the notifications say is made of these (ADR 100). */
export type Entry = JournalBody | PassingEntry;
export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;

const PASSING: ReadonlySet<string> = new Set(passing.flatMap((one) => one.shape.type.def.values));

/** Every type of entry, those of the journal first. */
export const ENTRY_TYPES: readonly string[] = [...JOURNAL_TYPES, ...PASSING];

/** Whether the journal keeps it. */
export function isKept(entry: Entry): entry is JournalBody {
  return !PASSING.has(entry.type);
}
