import * as z from 'zod/mini';
import { GateOutcome } from './gate.ts';
import { Grade } from './proof.ts';

/** A prover's check: red on what the task began on, green on its result. Of what it prints nothing is kept. */
export const ProverCheckRun = z.object({
  /** The check, and the criterion that it is for. */
  at: z.number(),
  criterion: z.number(),
  before: GateOutcome,
  after: GateOutcome,
});
export type ProverCheckRun = z.infer<typeof ProverCheckRun>;

export const ProofFacts = z.object({
  byProver: z.array(ProverCheckRun),
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

/**
 * `negate`: a condition is the other way round; `swap`: an operator is its counterpart; `drop`: a call is left out; `constant`: a number is one
 * more, a text is empty; `return`: a function returns at once.
 */
export const MutantKind = z.enum(['negate', 'swap', 'drop', 'constant', 'return']);
export type MutantKind = z.infer<typeof MutantKind>;

/** What gates said to small mistakes in the lines that changed. */
export const MutantFacts = z.object({
  tried: z.array(
    z.object({
      path: z.string(),
      /** 1-based. */
      line: z.number(),
      kind: MutantKind,
      /** The line as it is, and with the mistake. */
      before: z.string(),
      after: z.string(),
      /** A gate failed with it, or didn't end. */
      killed: z.boolean(),
    }),
  ),
  /** Mutants that can't be loaded or built, which aren't counted. */
  unbuilt: z.number(),
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
  /** What is demanded was changed instead of met, and the task doesn't ask for that; sentences, which are in `against`, too. */
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
