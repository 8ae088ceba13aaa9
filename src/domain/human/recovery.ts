import * as z from 'zod/mini';
import { Severity } from '../../lib/severity.ts';
import { quotedNames } from '../../lib/text.ts';
import { VerdictKind } from '../verdict.ts';

/** Why an attempt of a recovery failed, in the words that a recovery goes by. */
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

/** What keeps failing, as far as the attempts show. */
export const Diagnosis = z.object({
  cause: RecoveryCause,
  /** One sentence. */
  text: z.string(),
  /** 0 to 1: how sure the last detection is, times the share of the attempts that failed for the same cause. */
  confidence: z.number(),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

/** What the next attempt does differently. */
export const Adaptation = z.object({
  /** Of the recovery, from 1. */
  attempt: z.number(),
  /** For the prompt. */
  prompt: z.string(),
  /** Another agent; `null`: the choice is free. */
  agent: z.nullable(z.string()),
  /** What the time limit is multiplied by; 1: as it was. */
  timeoutFactor: z.number(),
  /** Limits that ralph lowered are those of the configuration again. */
  liftLimits: z.boolean(),
  /** Paths to keep to; empty: those of the task. */
  scope: z.array(z.string()),
});
export type Adaptation = z.infer<typeof Adaptation>;

/** An attempt of a recovery. The first is the one that began it, and isn't counted. */
export const RecoveryTry = z.object({
  iteration: z.number(),
  run: z.string(),
  agent: z.string(),
  /** When it ended; ISO 8601 UTC. */
  at: z.string(),
  durationMs: z.number(),
  verdict: VerdictKind,
  /** One sentence: how it ended. */
  ended: z.string(),
  /** The failure without what differs from one time to the next; '' where nothing is known of it. */
  failure: z.string(),
  /** The tree that it left; '' where it changed nothing. */
  tree: z.string(),
  /** A gate that failed passed when it was run once more on the same tree. */
  flaky: z.array(z.string()),
  diagnosis: Diagnosis,
  /** What followed from it; `null`: no further attempt. */
  adaptation: z.nullable(Adaptation),
});
export type RecoveryTry = z.infer<typeof RecoveryTry>;

export const RECOVERY_ENDS = ['recovered', 'escalated', 'blocked', 'reset'] as const;

/** A finding that its corrections did not cure, and what was done about it (spec 5-human-gates, Recovery). */
export const Recovery = z.object({
  /** `RS-NNN`. */
  id: z.string(),
  taskId: z.string(),
  title: z.string(),
  /** Type of the finding, and what exactly it is about. */
  issue: z.string(),
  patterns: z.array(z.string()),
  severity: Severity,
  files: z.array(z.string()),
  /** What failed before; `null`: not known. */
  originalError: z.nullable(z.string()),
  /** When and where it began. */
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  maxAttempts: z.number(),
  tries: z.array(RecoveryTry),
  /**
   * `null`: it is running. `escalated`: you decide; `blocked`: the task is; `reset`: the task got a fresh series of
   * attempts.
   */
  ended: z.nullable(z.object({ how: z.enum(RECOVERY_ENDS), at: z.string() })),
});
export type Recovery = z.infer<typeof Recovery>;

/** Recoveries that the state keeps, the newest. */
export const RECOVERIES_KEPT = 50;

/** Attempts of a recovery that failed. */
export function failedTries({ tries }: Pick<Recovery, 'tries'>): number {
  return Math.max(0, tries.length - 1);
}

/** Whether this iteration changed something of a recovery: one more attempt failed, or it is over. */
export function hasMoved({ tries, ended }: Pick<Recovery, 'tries' | 'ended'>, iteration: number): boolean {
  return ended !== null || tries.at(-1)?.iteration === iteration;
}

/** What the coming attempt does differently; `null`: no recovery is running. */
export function adaptationOf(recovery: Recovery | null): Adaptation | null {
  return recovery?.tries.at(-1)?.adaptation ?? null;
}

/** The document of a recovery, relative to the top of the repository. */
export function recoveryPath({ id }: Pick<Recovery, 'id'>): string {
  return `.ralph/recoveries/${id}.json`;
}

/** What is different, as a list: `a changed prompt in a fresh session, agent codex, time limit × 1.5`. */
export function changesOf({ agent, timeoutFactor, liftLimits, scope }: Adaptation): string {
  return [
    'a changed prompt in a fresh session',
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(timeoutFactor === 1 ? [] : [`time limit × ${timeoutFactor}`]),
    ...(liftLimits ? ['limits of the configuration'] : []),
    ...(scope.length === 0 ? [] : [`only ${quotedNames(scope)}`]),
  ].join(', ');
}
