import * as z from 'zod/mini';
import { emptyOf } from './empty-of.ts';
import { Grade } from './proof.ts';

export const ProofFacts = z.object({
  production: z.array(z.string()),
  /** Whether only production code was restored for the trial, because tests, settings or helpers changed, too. */
  isTakenBack: z.boolean(),
  /**
   * Files restored for each gate that was red before the work: files that define the gate's requirements and that the
   * task doesn't ask to change.
   */
  putBack: z.array(z.object({ gate: z.string(), paths: z.array(z.string()) })),
  /** Whether all changes of production code are in functions, which were broken for the trial. */
  isBrokenWhole: z.boolean(),
  /** Changed files that make failing tests run again more often. */
  retries: z.array(z.string()),
  /** Names of runs left out because they would exceed `[proof] max_time`. */
  leftOut: z.array(z.string()),
  durationMs: z.number(),
});
export type ProofFacts = z.infer<typeof ProofFacts>;

export const MutantFacts = z.object({
  /** Number of mutants that all gates were tried with. They are the first ones in the list of runs. */
  asked: z.number(),
  leftOut: z.number(),
});
export type MutantFacts = z.infer<typeof MutantFacts>;

export const MutantCounts = z.object({ tried: z.number(), killed: z.number(), leftOut: z.number() });
export type MutantCounts = z.infer<typeof MutantCounts>;

/** A gate as evidence for the work. `unknown`: ralph couldn't add a failing test to it. */
export const Witness = z.object({
  gate: z.string(),
  standing: z.enum(['alive', 'dead', 'unknown']),
  /** Tests that fail without the work, pass with it, and reach its code. */
  failToPass: z.array(z.string()),
});
export type Witness = z.infer<typeof Witness>;

export const ProofDecision = z.object({
  grade: Grade,
  witnesses: z.array(Witness),
  /** Tests from before the work that passed with the old code and fail now: the work changed a requirement. */
  changedDemands: z.array(z.string()),
  /**
   * A sentence for each test or gate that was changed, unasked, instead of the code. `against` includes these
   * sentences.
   */
  bent: z.array(z.string()),
  /** Sentences that say why tests that fail without the work don't raise the grade. */
  lowered: z.array(z.string()),
  /** Sentences that say why the work isn't done although all gates pass. */
  against: z.array(z.string()),
});
export type ProofDecision = z.infer<typeof ProofDecision>;

export const NO_PROOF = emptyOf(ProofDecision);
