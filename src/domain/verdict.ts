import * as z from 'zod/mini';
import { HaltReason } from './agent.ts';

type Counting = {
  readonly failedAttempt: boolean;
  /**
   * True: a cause outside the work. ralph waits, uses another agent, or stops with exit code 9; the attempt doesn't
   * count.
   */
  readonly infrastructure: boolean;
};

const OUTSIDE_COUNTING = { failedAttempt: false, infrastructure: true } as const;

/**
 * Consequences of each verdict, mildest first. Each room that judges an iteration gives a verdict, and the strictest
 * one counts.
 */
export const VERDICT_COUNTING = {
  done: { failedAttempt: false, infrastructure: false },
  progress: { failedAttempt: false, infrastructure: false },
  /**
   * A gate fails even without the work, because something else changed. The work is judged again later, without an
   * agent.
   */
  gate_down: OUTSIDE_COUNTING,
  /** The agent claims completion, but a requested part is missing or not shown. That isn't a false claim. */
  incomplete: { failedAttempt: true, infrastructure: false },
  false_completion: { failedAttempt: true, infrastructure: false },
  gates_failed: { failedAttempt: true, infrastructure: false },
  no_files: { failedAttempt: true, infrastructure: false },
  /** The agent reports that the task was already done, and shows where. You accept that or not. */
  already_done: { failedAttempt: false, infrastructure: false },
  /**
   * Work of another task that landed meanwhile conflicts. The work is done again on top of it, and the attempt doesn't
   * count.
   */
  conflict: { failedAttempt: false, infrastructure: false },
  changes_requested: { failedAttempt: false, infrastructure: false },
  agent_blocked: { failedAttempt: false, infrastructure: false },
  agent_error: { failedAttempt: true, infrastructure: false },
  review_blocked: { failedAttempt: true, infrastructure: false },
  rate_limited: OUTSIDE_COUNTING,
  throttled: OUTSIDE_COUNTING,
  credit: OUTSIDE_COUNTING,
  auth: OUTSIDE_COUNTING,
  model: OUTSIDE_COUNTING,
  outage: OUTSIDE_COUNTING,
  context: OUTSIDE_COUNTING,
  refused: OUTSIDE_COUNTING,
  timed_out: { failedAttempt: true, infrastructure: false },
  interrupted: { failedAttempt: false, infrastructure: false },
  spawn_failed: OUTSIDE_COUNTING,
  /** Work that waits for your decision is neither accepted nor rejected, whatever other rooms decide. */
  awaiting_human: { failedAttempt: false, infrastructure: false },
} as const satisfies Readonly<Record<string, Counting>>;

export const WITHOUT_BLOCK = 'the agent ended without the status block';

export type VerdictKind = keyof typeof VERDICT_COUNTING;
export const VerdictKind = z.enum(Object.keys(VERDICT_COUNTING) as VerdictKind[]);

const OUTSIDE = [
  z.object({
    kind: z.enum(['rate_limited', 'throttled']),
    message: z.string(),
    resetsAt: z.nullable(z.string()),
  }),
  z.object({
    kind: z.enum(['credit', 'auth', 'model', 'outage', 'context', 'refused', 'spawn_failed']),
    message: z.string(),
  }),
] as const;
export const OutsideVerdict = z.discriminatedUnion('kind', OUTSIDE);
export type OutsideVerdict = z.infer<typeof OutsideVerdict>;

/** Result of an iteration: the verdict on its work and its claim. */
export const Verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('progress') }),
  z.object({ kind: z.literal('already_done') }),
  z.object({ kind: z.literal('no_files'), completionClaimed: z.boolean() }),
  z.object({ kind: z.literal('false_completion'), reasons: z.array(z.string()) }),
  z.object({ kind: z.literal('incomplete'), reasons: z.array(z.string()) }),
  z.object({ kind: z.literal('gates_failed'), gates: z.array(z.string()) }),
  /** Gates and evidence accept the work, but reviewers ask for changes, or couldn't review it. */
  z.object({ kind: z.literal('changes_requested'), roles: z.array(z.string()) }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  z.object({ kind: z.literal('agent_error'), message: z.string() }),
  z.object({ kind: z.literal('agent_blocked'), reason: z.string() }),
  /** ralph ended the attempt because of an action that was done or begun. */
  z.object({ kind: z.literal('review_blocked'), why: HaltReason, message: z.string() }),
  ...OUTSIDE,
  z.object({ kind: z.literal('gate_down'), gates: z.array(z.string()) }),
  z.object({ kind: z.literal('interrupted'), signal: z.nullable(z.string()) }),
  z.object({ kind: z.literal('conflict'), tasks: z.array(z.string()) }),
  /** The attempt ended while its actions waited for your decision. */
  z.object({ kind: z.literal('awaiting_human'), requests: z.array(z.string()) }),
]);
export type Verdict = z.infer<typeof Verdict>;
/** Returns whether an outage, a limit, you or another task ended the attempt, and not a fault of agent or task. */
export function isOutsideCause(verdict: VerdictKind): boolean {
  const isOthers = verdict === 'interrupted' || verdict === 'awaiting_human' || verdict === 'conflict';
  return isOthers || VERDICT_COUNTING[verdict].infrastructure;
}

export type Judgement = { readonly verdict: Verdict; readonly cause: string };

/**
 * Returns the strictest judgement. Among equally strict ones it is the last, because later rooms know the earlier
 * judgements.
 * @throws Error if the list is empty.
 */
export function strictest<One extends Judgement>(judgements: readonly One[]): One {
  const [first, ...others] = judgements;
  if (first === undefined) throw new Error('No room gives a verdict.');
  const rank = ({ verdict }: Judgement) => VerdictKind.options.indexOf(verdict.kind);
  return others.reduce((most, one) => (rank(one) < rank(most) ? most : one), first);
}

/** Returns whether an attempt counts as failed. Progress without a changed file does, and so does work that was set aside. */
export function isFailed({
  verdict,
  filesChanged,
  restarts,
}: {
  readonly verdict: VerdictKind;
  readonly filesChanged: number;
  readonly restarts?: boolean | undefined;
}): boolean {
  const isIdle = verdict === 'progress' && filesChanged === 0;
  return VERDICT_COUNTING[verdict].failedAttempt || isIdle || restarts === true;
}
