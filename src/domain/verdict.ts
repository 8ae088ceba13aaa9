import * as z from 'zod/mini';
import { HaltReason } from './agent.ts';

type Counting = {
  /** Counts as a failed attempt toward blocking the task. */
  readonly failedAttempt: boolean;
  /** A cause outside of the work: wait, fall back or stop with exit 9; no attempt is lost. */
  readonly infrastructure: boolean;
};

/**
 * What each verdict counts for (decisions.md, What counts), the mildest first: of those that the rooms give an attempt,
 * the strictest is its own.
 */
export const VERDICT_COUNTING = {
  done: { failedAttempt: false, infrastructure: false },
  progress: { failedAttempt: false, infrastructure: false },
  /** A gate fails without the work, too, since something outside changed: it is judged again without its agent. */
  gate_down: { failedAttempt: false, infrastructure: true },
  /** Completion is claimed, and something that the task asks for isn't there or isn't shown, which is no lie. */
  incomplete: { failedAttempt: true, infrastructure: false },
  false_completion: { failedAttempt: true, infrastructure: false },
  gates_failed: { failedAttempt: true, infrastructure: false },
  no_files: { failedAttempt: true, infrastructure: false },
  /** The agent reports that nothing was left to do, and shows where: you accept that, or not. */
  already_done: { failedAttempt: false, infrastructure: false },
  /** Another task's work landed meanwhile, and this one doesn't go with it: it is done on top of that, and no attempt is lost. */
  conflict: { failedAttempt: false, infrastructure: false },
  changes_requested: { failedAttempt: false, infrastructure: false },
  agent_blocked: { failedAttempt: false, infrastructure: false },
  agent_error: { failedAttempt: true, infrastructure: false },
  review_blocked: { failedAttempt: true, infrastructure: false },
  rate_limited: { failedAttempt: false, infrastructure: true },
  auth: { failedAttempt: false, infrastructure: true },
  outage: { failedAttempt: false, infrastructure: true },
  timed_out: { failedAttempt: true, infrastructure: false },
  interrupted: { failedAttempt: false, infrastructure: false },
  spawn_failed: { failedAttempt: false, infrastructure: true },
  /** Work that waits for you is neither accepted nor rejected, whatever else is said of it. */
  awaiting_human: { failedAttempt: false, infrastructure: false },
  rolled_back: { failedAttempt: true, infrastructure: false },
} as const satisfies Readonly<Record<string, Counting>>;

/** Stands in the cause of an attempt after which the agent said nothing of how far it is. */
export const WITHOUT_BLOCK = 'the agent ended without the status block';

export type VerdictKind = keyof typeof VERDICT_COUNTING;
export const VerdictKind = z.enum(Object.keys(VERDICT_COUNTING) as VerdictKind[]);

const OUTSIDE = [
  z.object({ kind: z.literal('rate_limited'), message: z.string(), resetsAt: z.nullable(z.string()) }),
  z.object({ kind: z.literal('auth'), message: z.string() }),
  z.object({ kind: z.literal('outage'), message: z.string() }),
  z.object({ kind: z.literal('spawn_failed'), message: z.string() }),
] as const;
/** What ended an attempt, or a review, from outside of the work. */
export const OutsideVerdict = z.discriminatedUnion('kind', OUTSIDE);
export type OutsideVerdict = z.infer<typeof OutsideVerdict>;

/** The result of an iteration (spec 1-loop, Verdict; decisions.md, What counts). */
export const Verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('progress') }),
  z.object({ kind: z.literal('already_done') }),
  z.object({ kind: z.literal('no_files'), completionClaimed: z.boolean() }),
  z.object({ kind: z.literal('false_completion'), reasons: z.array(z.string()) }),
  z.object({ kind: z.literal('incomplete'), reasons: z.array(z.string()) }),
  z.object({ kind: z.literal('gates_failed'), gates: z.array(z.string()) }),
  /** The work is complete by gates and evidence, and reviewers ask for changes, or no review of it could be made. */
  z.object({ kind: z.literal('changes_requested'), roles: z.array(z.string()) }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  z.object({ kind: z.literal('agent_error'), message: z.string() }),
  z.object({ kind: z.literal('agent_blocked'), reason: z.string() }),
  /** Ended for what the agent did or began to do. */
  z.object({ kind: z.literal('review_blocked'), why: HaltReason, message: z.string() }),
  /** The work tree was put back to an earlier checkpoint. `instead`: the verdict that the attempt would have had. */
  z.object({
    kind: z.literal('rolled_back'),
    checkpoint: z.string(),
    issue: z.string(),
    instead: VerdictKind,
  }),
  ...OUTSIDE,
  z.object({ kind: z.literal('gate_down'), gates: z.array(z.string()) }),
  z.object({ kind: z.literal('interrupted'), signal: z.nullable(z.string()) }),
  z.object({ kind: z.literal('conflict'), tasks: z.array(z.string()) }),
  /** It ended while actions of it waited for your decision. */
  z.object({ kind: z.literal('awaiting_human'), requests: z.array(z.string()) }),
]);
export type Verdict = z.infer<typeof Verdict>;
/** Whether an outage, a limit, you or another task ended the attempt: that isn't the fault of the agent or the task. */
export function isOutsideCause(verdict: VerdictKind): boolean {
  const isOthers = verdict === 'interrupted' || verdict === 'awaiting_human' || verdict === 'conflict';
  return isOthers || VERDICT_COUNTING[verdict].infrastructure;
}

/** A verdict, with the sentence for the screen that says why, and the values seen. */
export type Judgement = { readonly verdict: Verdict; readonly cause: string };

/**
 * The strictest; of equally strict ones the last, as who gave it knew of the others.
 *
 * @throws Error where there is none.
 */
export function strictest<One extends Judgement>(judgements: readonly One[]): One {
  const [first, ...others] = judgements;
  if (first === undefined) throw new Error('No room gives a verdict.');
  const rank = ({ verdict }: Judgement) => VerdictKind.options.indexOf(verdict.kind);
  return others.reduce((most, one) => (rank(one) < rank(most) ? most : one), first);
}
