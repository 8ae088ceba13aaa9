import * as z from 'zod/mini';
import { GateOutcome } from './gate.ts';
import { Grade } from './proof.ts';
import { TestCounts } from './test-results.ts';

/** A run of a gate on a tree that shows whether it says anything. */
export const ProofRun = z.object({
  /**
   * `canary`: the result, with a failing test; `taken_back`: with the production code of before; `old_tests`: with the tests of
   * before; `broken_code`: with code that fails as it is called; `broken_old_tests`: with that and the tests of before.
   */
  kind: z.enum(['canary', 'taken_back', 'old_tests', 'broken_code', 'broken_old_tests']),
  gate: z.string(),
  outcome: GateOutcome,
  tests: z.nullable(TestCounts),
  /** Names of failing tests, bounded. */
  failing: z.array(z.string()),
  /** Tests that pass on the result and aren't among those that were run here, bounded. */
  missing: z.array(z.string()),
  /** The end of its output. */
  outputTail: z.string(),
  /** Of a canary: where it lay, and a part of its name. */
  canary: z.nullable(z.object({ path: z.string(), name: z.string(), loads: z.array(z.string()) })),
});
export type ProofRun = z.infer<typeof ProofRun>;

/** A command that shows a criterion (`Check:`): red on what the task began on, green on its result. */
export const CheckRun = z.object({
  /** Empty: a prover wrote it. */
  command: z.string(),
  /** Which of the prover's it is, and of which criterion; `null`: the task names it. */
  prover: z.nullable(z.object({ at: z.number(), criterion: z.number() })),
  before: GateOutcome,
  after: GateOutcome,
  /** The end of what it printed on the result; of a prover's nothing is kept. */
  outputTail: z.string(),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const ProofFacts = z.object({
  runs: z.array(ProofRun),
  checks: z.array(CheckRun),
  /** Changed files that are production code, and those that are tests and their helpers. */
  production: z.array(z.string()),
  changedTests: z.array(z.string()),
  /** Tests, settings or helpers changed, too, so that the code alone is taken back. */
  isTakenBack: z.boolean(),
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
  /** Tests that fail without the work, and pass with it. */
  failToPass: z.array(z.string()),
  /** Why those fail there: they can't be loaded or built, or more. */
  how: z.nullable(z.enum(['load', 'test'])),
});
export type Witness = z.infer<typeof Witness>;

/** What is shown of a task. */
export const ProofDecision = z.object({
  grade: Grade,
  witnesses: z.array(Witness),
  /** Tests of before that fail as they were and passed then: what is demanded changed. */
  changedDemands: z.array(z.string()),
  /** Why the work isn't done although gates pass; sentences. */
  against: z.array(z.string()),
});
export type ProofDecision = z.infer<typeof ProofDecision>;

/** Where nothing is shown. */
export const NO_PROOF: ProofDecision = { grade: 'none', witnesses: [], changedDemands: [], against: [] };
