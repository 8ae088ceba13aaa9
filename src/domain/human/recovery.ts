import { Severity } from 'ralph-kit/severity';
import { quotedNames } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { VerdictKind } from '../verdict.ts';

export const RecoveryCause = z.enum([
  'avoidance',
  'gates',
  'timeout',
  'limits',
  'agent',
  'no_work',
  'false_claim',
  'other',
]);
export type RecoveryCause = z.infer<typeof RecoveryCause>;

export const Diagnosis = z.object({
  cause: RecoveryCause,
  text: z.string(),
  /** Confidence of the last detection, times the share of attempts that failed for the same cause; 0 to 1. */
  confidence: z.number(),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

export const Adaptation = z.object({
  /** Number of the attempt in its recovery, from 1. */
  attempt: z.number(),
  prompt: z.string(),
  /** Agent for the attempt; `null`: any agent may be chosen. */
  agent: z.nullable(z.string()),
  /** Factor for the attempt's time limit; 1: unchanged. */
  timeoutFactor: z.number(),
  liftLimits: z.boolean(),
  /** Paths that the attempt must stay within; empty: the task's own paths. */
  scope: z.array(z.string()),
});
export type Adaptation = z.infer<typeof Adaptation>;

/** An attempt of a recovery. The first one caused the recovery, and isn't counted. */
export const RecoveryTry = z.object({
  iteration: z.number(),
  run: z.string(),
  agent: z.string(),
  /** End of the attempt, ISO 8601 UTC. */
  at: z.string(),
  durationMs: z.number(),
  verdict: VerdictKind,
  ended: z.string(),
  /** Text of the failure without parts that differ each time; '' if unknown. */
  failure: z.string(),
  /** Tree after the attempt; '' if nothing was changed. */
  tree: z.string(),
  /** Gates that failed, but passed in a second run on the same tree. */
  flaky: z.array(z.string()),
  diagnosis: Diagnosis,
  /** Changes for the next attempt; `null`: there is no next attempt. */
  adaptation: z.nullable(Adaptation),
});
export type RecoveryTry = z.infer<typeof RecoveryTry>;

export const RECOVERY_ENDS = ['recovered', 'escalated', 'blocked', 'reset'] as const;

/** A finding that corrections didn't cure, and the answers to it (docs/HUMAN_GATES.md). */
export const Recovery = z.object({
  /** Id of the recovery: `RS-001`, `RS-002`, … */
  id: z.string(),
  taskId: z.string(),
  title: z.string(),
  issue: z.string(),
  patterns: z.array(z.string()),
  severity: Severity,
  files: z.array(z.string()),
  /** Error message that the agent avoided; `null`: unknown. */
  originalError: z.nullable(z.string()),
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  maxAttempts: z.number(),
  tries: z.array(RecoveryTry),
  /**
   * How the recovery ended. `escalated`: you decide; `blocked`: the task is blocked; `reset`: attempts start afresh.
   * `null`: the recovery is running.
   */
  ended: z.nullable(z.object({ how: z.enum(RECOVERY_ENDS), at: z.string() })),
});
export type Recovery = z.infer<typeof Recovery>;

export const RECOVERIES_KEPT = 50;

/** Returns the number of failed attempts to recover, without the attempt that caused the recovery. */
export function failedTries({ tries }: Pick<Recovery, 'tries'>): number {
  return Math.max(0, tries.length - 1);
}

/** Returns whether this iteration added a failed attempt to the recovery, or the recovery has ended. */
export function hasMoved({ tries, ended }: Pick<Recovery, 'tries' | 'ended'>, iteration: number): boolean {
  return ended !== null || tries.at(-1)?.iteration === iteration;
}

/** Returns the changes for the next attempt; `null`: no recovery is running. */
export function adaptationOf(recovery: Recovery | null): Adaptation | null {
  return recovery?.tries.at(-1)?.adaptation ?? null;
}

/** Returns the path of a recovery's document, relative to the top of the repository. */
export function recoveryPath({ id }: Pick<Recovery, 'id'>): string {
  return `.ralph/recoveries/${id}.json`;
}

/** Returns a list such as `a changed prompt in a fresh session, agent codex, time limit × 1.5`. */
export function changesOf({ agent, timeoutFactor, liftLimits, scope }: Adaptation): string {
  return [
    'a changed prompt in a fresh session',
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(timeoutFactor === 1 ? [] : [`time limit × ${timeoutFactor}`]),
    ...(liftLimits ? ['limits of the configuration'] : []),
    ...(scope.length === 0 ? [] : [`only ${quotedNames(scope)}`]),
  ].join(', ');
}
