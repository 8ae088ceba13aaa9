import * as z from 'zod/mini';
import { HaltReason } from './agent.ts';

/** The result of an iteration (spec 1-loop, Verdict; decisions.md, What counts). */
export const Verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('progress') }),
  z.object({ kind: z.literal('no_files'), completionClaimed: z.boolean() }),
  z.object({ kind: z.literal('false_completion'), reasons: z.array(z.string()) }),
  z.object({ kind: z.literal('gates_failed'), gates: z.array(z.string()) }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  z.object({ kind: z.literal('agent_error'), message: z.string() }),
  z.object({ kind: z.literal('agent_blocked'), reason: z.string() }),
  /** Ended for what the agent did or began to do. */
  z.object({ kind: z.literal('review_blocked'), why: HaltReason, message: z.string() }),
  /** The work tree was put back to an earlier checkpoint. `instead`: what the attempt would have come to. */
  z.object({
    kind: z.literal('rolled_back'),
    checkpoint: z.string(),
    issue: z.string(),
    instead: z.string(),
  }),
  z.object({ kind: z.literal('rate_limited'), message: z.string(), resetsAt: z.nullable(z.string()) }),
  z.object({ kind: z.literal('auth'), message: z.string() }),
  z.object({ kind: z.literal('outage'), message: z.string() }),
  z.object({ kind: z.literal('spawn_failed'), message: z.string() }),
  z.object({ kind: z.literal('interrupted'), signal: z.nullable(z.string()) }),
]);
export type Verdict = z.infer<typeof Verdict>;
export type VerdictKind = Verdict['kind'];

type Counting = {
  /** Counts as a failed attempt toward blocking the task. */
  readonly failedAttempt: boolean;
  /** A cause outside of the work: wait, fall back or stop with exit 9; no attempt is lost. */
  readonly infrastructure: boolean;
};

/** @see decisions.md, What counts */
export const VERDICT_COUNTING: Readonly<Record<VerdictKind, Counting>> = {
  done: { failedAttempt: false, infrastructure: false },
  progress: { failedAttempt: false, infrastructure: false },
  no_files: { failedAttempt: true, infrastructure: false },
  false_completion: { failedAttempt: true, infrastructure: false },
  gates_failed: { failedAttempt: true, infrastructure: false },
  timed_out: { failedAttempt: true, infrastructure: false },
  agent_error: { failedAttempt: true, infrastructure: false },
  agent_blocked: { failedAttempt: false, infrastructure: false },
  review_blocked: { failedAttempt: true, infrastructure: false },
  rolled_back: { failedAttempt: true, infrastructure: false },
  rate_limited: { failedAttempt: false, infrastructure: true },
  auth: { failedAttempt: false, infrastructure: true },
  outage: { failedAttempt: false, infrastructure: true },
  spawn_failed: { failedAttempt: false, infrastructure: true },
  interrupted: { failedAttempt: false, infrastructure: false },
};

/** Whether an outage, a limit or you ended the attempt: that isn't the fault of the agent or the task. */
export function isOutsideCause(verdict: string): boolean {
  if (verdict === 'interrupted') return true;
  return Object.hasOwn(VERDICT_COUNTING, verdict) && VERDICT_COUNTING[verdict as VerdictKind].infrastructure;
}
