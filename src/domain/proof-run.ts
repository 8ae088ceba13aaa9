import * as z from 'zod/mini';
import { Grade } from './proof.ts';

export const ProofFacts = z.object({
  /** Changed files that are production code. */
  production: z.array(z.string()),
  /** Tests, settings or helpers changed, too, so that the code alone is taken back. */
  isTakenBack: z.boolean(),
  /** What was put back for each gate that was red at the start: changed files that it demands something by, and that the task doesn't ask to change. */
  putBack: z.array(z.object({ gate: z.string(), paths: z.array(z.string()) })),
  /** All that changed in production code is in functions that were broken. */
  isBrokenWhole: z.boolean(),
  /** Changed files by which failing tests are repeated more often. */
  retries: z.array(z.string()),
  /** What was left out, as it would have taken longer than `[proof] max_time`. */
  leftOut: z.array(z.string()),
  durationMs: z.number(),
});
export type ProofFacts = z.infer<typeof ProofFacts>;

/** How far small mistakes in the lines that changed were tried; what gates said to them is in `triedMutants`. */
export const MutantFacts = z.object({
  /** Mutants that gates were asked with to the end, the first of those that are in the list of runs. */
  asked: z.number(),
  /** Mutants for which there was no time. */
  leftOut: z.number(),
});
export type MutantFacts = z.infer<typeof MutantFacts>;

/** How many mutants were tried, killed, and left out. */
export const MutantCounts = z.object({ tried: z.number(), killed: z.number(), leftOut: z.number() });
export type MutantCounts = z.infer<typeof MutantCounts>;

/** How a gate stands as a witness. `unknown`: no test could be added to it. */
export const Witness = z.object({
  gate: z.string(),
  standing: z.enum(['alive', 'dead', 'unknown']),
  /** Tests that fail without the work, pass with it, and reach its code. */
  failToPass: z.array(z.string()),
});
export type Witness = z.infer<typeof Witness>;

/** What is shown of a task. */
export const ProofDecision = z.object({
  grade: Grade,
  witnesses: z.array(Witness),
  /** Tests of before that fail as they were and passed then: what is demanded changed. */
  changedDemands: z.array(z.string()),
  /** For each test or gate that the work changed in place of fixing the code, without being asked to: a sentence, which is in `against`, too. */
  bent: z.array(z.string()),
  /** Why tests that fail without the work don't raise the grade; sentences. */
  lowered: z.array(z.string()),
  /** Why the work isn't done although gates pass; sentences. */
  against: z.array(z.string()),
});
export type ProofDecision = z.infer<typeof ProofDecision>;

/** Where nothing is shown. */
export const NO_PROOF: ProofDecision = {
  ...{ grade: 'none', witnesses: [], changedDemands: [], bent: [], lowered: [], against: [] },
};
