import * as z from 'zod/mini';
import { ReviewSummary } from '../../lib/actions/review-record.ts';
import { CriterionOnRecord } from '../claim.ts';
import { RunEnding } from '../exit.ts';
import { OffGate } from '../gate.ts';
import { Grade } from '../proof.ts';
import { MutantCounts } from '../proof-run.ts';
import { ProverScore } from '../prover.ts';
import { Spent } from '../spend.ts';
import { Role, WorkflowScore } from '../workflow/roles.ts';

/** A commit that wasn't made. */
export const SkippedCommit = z.object({
  taskId: z.string(),
  /** Sentences. */
  reason: z.string(),
  /** Makes it; one line for a POSIX shell. */
  command: z.string(),
  /** It waits as you hold this task back. */
  heldBy: z.optional(z.string()),
});

/** Commits of a task that the summary of a run keeps, the newest. */
export const COMMITS_KEPT = 5;

/** What one run did at one task. */
export const TaskWork = z.object({
  taskId: z.string(),
  /** As it was in the last attempt. */
  title: z.string(),
  /** Without those that an outage, a limit, you or another task's work ended: they are made again. */
  attempts: z.number(),
  conflicts: z._default(z.number(), 0),
  /** The newest of all. */
  iteration: z.number(),
  /** From the start of each attempt to its verdict, gates included. */
  durationMs: z.number(),
  /** Of that, while agents were at work. */
  agentMs: z.number(),
  /** Of that, while it waited for a worker of the fleet, and for its turn at the gates. */
  waitedMs: z._default(z.number(), 0),
  /** Of that, work that conflicts undid, without its waits. */
  lostMs: z._default(z.number(), 0),
  ...Spent.shape,
  /** Attempts that claimed completion and didn't get there. */
  falseClaims: z.number(),
  /** Those by which its results came onto your branch: the newest `COMMITS_KEPT`, oldest first. */
  commits: z.array(z.string()),
  /** Of `[git] branch_strategy`, on which they are; `null`: the one that is checked out. */
  branch: z._default(z.nullable(z.string()), null),
  /** What there is to look at in its newest work, each on a line. */
  signs: z.array(z.string()),
  /** How well it is shown that its newest work works. */
  grade: Grade,
  /** Of its newest work; `null`: none were made. */
  mutants: z.nullable(MutantCounts),
  /** How its acceptance criteria stand by its newest work. */
  criteria: z.array(CriterionOnRecord),
});
export type TaskWork = z.infer<typeof TaskWork>;

export const RunSummary = z.object({
  run: z.string(),
  startedAt: z.string(),
  /** The newest record of it. */
  activeAt: z.string(),
  endedAt: z.nullable(z.string()),
  agent: z.string(),
  mode: z.string(),
  /** Attempts that it made at once, at most. */
  workers: z._default(z.number(), 1),
  /** Its gates, where all of them were off when it began; empty: one wasn't, or there were none. */
  unchecked: z._default(z.array(OffGate), []),
  pid: z.number(),
  host: z.string(),
  ending: z.nullable(RunEnding),
  exitCode: z.nullable(z.number()),
  iterations: z.number(),
  done: z.array(z.string()),
  blocked: z.array(z.string()),
  /** In the order of their first attempts. */
  work: z.array(TaskWork),
  ...Spent.shape,
  interventions: z.number(),
  /** What became of the agents' actions. */
  reviews: ReviewSummary,
  /** The newest of each task. */
  skippedCommits: z.array(SkippedCommit),
  /** How its roles did, and the WARNINGs that it left open; `null`: makers worked alone. */
  workflow: z.nullable(
    z.object({
      score: WorkflowScore,
      deferred: z.number(),
      /** What the roles beside the maker used. */
      spend: z.array(z.object({ role: Role, agent: z.string(), ...Spent.shape })),
    }),
  ),
  /** `null`: no prover was asked. */
  prover: z.nullable(ProverScore),
});
export type RunSummary = z.infer<typeof RunSummary>;
