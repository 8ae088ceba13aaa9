import { ReviewSummary } from 'ralph-actions/forms/record';
import * as z from 'zod/mini';
import { CriterionOnRecord } from '../claim.ts';
import { RunEnding } from '../exit.ts';
import { OffGate } from '../gate.ts';
import { Grade } from '../proof.ts';
import { MutantCounts } from '../proof-run.ts';
import { ProverScore } from '../prover.ts';
import { AgentRetries, Unavailable } from '../service.ts';
import { Spent } from '../spend.ts';
import { Role, WorkflowScore } from '../workflow/roles.ts';

export const SkippedCommit = z.object({
  taskId: z.string(),
  reason: z.string(),
  /** Command that makes the commit, on one line for a POSIX shell. */
  command: z.string(),
  /** Task that you hold back, which keeps the commit waiting. */
  heldBy: z.optional(z.string()),
});

export const COMMITS_KEPT = 5;

export const TaskWork = z.object({
  taskId: z.string(),
  title: z.string(),
  /** Number of attempts, without those ended by an outage, a limit, you or another task's work: these are repeated. */
  attempts: z.number(),
  conflicts: z._default(z.number(), 0),
  iteration: z.number(),
  /** Milliseconds from the start of each attempt to its verdict, gates included. */
  durationMs: z.number(),
  agentMs: z.number(),
  /** Part of `durationMs` spent waiting for a worker of the fleet and for a turn at the gates. */
  waitedMs: z._default(z.number(), 0),
  /** Part of `durationMs` for work that was undone because of conflicts, without waits. */
  lostMs: z._default(z.number(), 0),
  ...Spent.shape,
  falseClaims: z.number(),
  /** Commits that brought results to your branch: the newest `COMMITS_KEPT`, oldest first. */
  commits: z.array(z.string()),
  /** Branch with these commits, by `[git] branch_strategy`; `null`: the checked-out branch. */
  branch: z._default(z.nullable(z.string()), null),
  /** Signs of avoided work for you to review, one per line. */
  signs: z.array(z.string()),
  grade: Grade,
  /** Result of trying gates with mutants; `null`: none were made. */
  mutants: z.nullable(MutantCounts),
  criteria: z.array(CriterionOnRecord),
});
export type TaskWork = z.infer<typeof TaskWork>;

/** An agent that can't work at the end of the run. `by`: the last agent that replaced it; `null`: none did. */
export const AgentAway = z.object({
  agent: z.string(),
  by: z.nullable(z.string()),
  unavailable: Unavailable,
});
export type AgentAway = z.infer<typeof AgentAway>;

export const RunSummary = z.object({
  run: z.string(),
  startedAt: z.string(),
  activeAt: z.string(),
  endedAt: z.nullable(z.string()),
  agent: z.string(),
  mode: z.string(),
  workers: z._default(z.number(), 1),
  /** Gates of the run if none of them could judge the work at its start; empty: one could, or there were none. */
  unchecked: z._default(z.array(OffGate), []),
  pid: z.number(),
  host: z.string(),
  ending: z.nullable(RunEnding),
  exitCode: z.nullable(z.number()),
  iterations: z.number(),
  done: z.array(z.string()),
  blocked: z.array(z.string()),
  /** Tasks in the order in which the run first attempted them. */
  work: z.array(TaskWork),
  ...Spent.shape,
  interventions: z.number(),
  reviews: ReviewSummary,
  skippedCommits: z.array(SkippedCommit),
  away: z._default(z.array(AgentAway), []),
  retried: z._default(z.array(AgentRetries), []),
  /** Results of roles beside the maker. `deferred`: number of WARNINGs left open. `null`: makers worked alone. */
  workflow: z.nullable(
    z.object({
      score: WorkflowScore,
      deferred: z.number(),
      spend: z.array(z.object({ role: Role, agent: z.string(), ...Spent.shape })),
    }),
  ),
  /** Results of the prover, the agent that writes checks; `null`: it wasn't asked. */
  prover: z.nullable(ProverScore),
});
export type RunSummary = z.infer<typeof RunSummary>;
