import * as z from 'zod/mini';
import { Spend, Spent } from './spend.ts';
import { RoleRun } from './workflow/roles.ts';

/** A check of a criterion that another agent writes before the work begins. The maker never sees it. */
export const ProverCheck = z.object({
  /** Number of the criterion, from 1; 0: the task as a whole. */
  criterion: z.number(),
  /** Shell command, run at the top of the repository. */
  command: z.string(),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
});
export type ProverCheck = z.infer<typeof ProverCheck>;

export function checkName(at: number): string {
  return `check ${at + 1} of the prover`;
}

/** A check with its trial. Checks without a problem were run on the tree before the work (`prover-before`). */
export const TriedCheck = z.object({
  check: ProverCheck,
  /** Changed paths other than the check's own files. */
  touched: z.array(z.string()),
  /**
   * Why the check can't be used: it names something that neither task nor repository has, or exceeds a limit; `null`:
   * it can.
   */
  problem: z.nullable(z.string()),
});
export type TriedCheck = z.infer<typeof TriedCheck>;

/** State of a check in a task's series. Its command and files are in `TaskProver.document`, which no agent sees. */
export const KnownCheck = z.object({
  /** Position of the check in the document, from 0. */
  at: z.number(),
  criterion: z.number(),
  /** Number of attempts in which only this check failed. */
  failed: z.number(),
  /**
   * The prover's answer about the check after it saw the work, with the path of the document that has the reason;
   * `null`: not asked yet.
   */
  ruling: z.nullable(z.object({ keeps: z.boolean(), document: z.string() })),
});
export type KnownCheck = z.infer<typeof KnownCheck>;

export const TaskProver = z.object({
  /** Path, below `.ralph/`, of the record of the iteration that tried the checks. */
  document: z.string(),
  checks: z.array(KnownCheck),
});
export type TaskProver = z.infer<typeof TaskProver>;

export const ProverRun = z.object({ ...RoleRun.shape, role: z.literal('prover') });

export const ProverFacts = z.object({
  /** The first request to write checks; `null`: an earlier iteration made it. */
  wrote: z.nullable(z.object({ run: ProverRun, document: z.string(), tried: z.array(TriedCheck) })),
  /** The request about checks that failed twice, by their positions; `null`: no request was made. */
  ruled: z.nullable(z.object({ run: ProverRun, about: z.array(z.number()) })),
});
export type ProverFacts = z.infer<typeof ProverFacts>;

/** Decisions about checks that are recorded where agents can read them: without commands and reasons. */
export const CarriedProver = z.object({
  /** State of the task's checks; `null`: the prover wasn't asked. */
  next: z.nullable(TaskProver),
  agent: z.nullable(z.string()),
  spend: z.array(Spend),
  kept: z.number(),
  withdrawn: z.number(),
});
export const ProverDecisions = z.object({
  ...CarriedProver.shape,
  rulings: z.array(z.object({ at: z.number(), keeps: z.boolean(), reason: z.string() })),
});
export type ProverDecisions = z.infer<typeof ProverDecisions>;

export const ProverScore = z.object({
  agents: z.array(z.string()),
  kept: z.number(),
  withdrawn: z.number(),
  ...Spent.shape,
});
export type ProverScore = z.infer<typeof ProverScore>;

export const MOST_CHECKS = 5;
export const MOST_FILES = 5;
/** Maximum number of characters of a file that a check writes. */
export const MOST_TEXT = 20_000;
/** Maximum number of characters of a check's command. */
export const MOST_COMMAND = 500;
