import * as z from 'zod/mini';
import { Spend, Spent } from './spend.ts';
import { RoleRun } from './workflow/roles.ts';

/** A check of a criterion that another agent wrote before the work began. The maker never sees it. */
export const ProverCheck = z.object({
  /** Number of the criterion, from 1; 0: the task as a whole. */
  criterion: z.number(),
  /** For a shell at the top of the repository. */
  command: z.string(),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
});
export type ProverCheck = z.infer<typeof ProverCheck>;

/** The name under which a check's runs are in the list, by its place. */
export function checkName(at: number): string {
  return `check ${at + 1} of the prover`;
}

/** A check that was tried on what the work begins with (`prover-before`); one with a problem wasn't. */
export const TriedCheck = z.object({
  check: ProverCheck,
  /** Paths beside its own files that it changed. */
  touched: z.array(z.string()),
  /** What it names and neither the task nor the repository has, or which limit it breaks; `null`: nothing. */
  problem: z.nullable(z.string()),
});
export type TriedCheck = z.infer<typeof TriedCheck>;

/** What the task's series of attempts keeps of a check. Its command and its files are in a document that no agent sees. */
export const KnownCheck = z.object({
  /** Its place in that document, from 0. */
  at: z.number(),
  criterion: z.number(),
  /** Attempts that nothing else spoke against. */
  failed: z.number(),
  /** What the prover said of it once it had seen the work, and the document below `.ralph/` that says why; `null`: it wasn't asked. */
  ruling: z.nullable(z.object({ keeps: z.boolean(), document: z.string() })),
});
export type KnownCheck = z.infer<typeof KnownCheck>;

export const TaskProver = z.object({
  /** Below `.ralph/`: the record of the iteration in which they were tried. */
  document: z.string(),
  checks: z.array(KnownCheck),
});
export type TaskProver = z.infer<typeof TaskProver>;

export const ProverRun = z.object({ ...RoleRun.shape, role: z.literal('prover') });

/** What was seen of the prover in an iteration; its decisions follow from it. */
export const ProverFacts = z.object({
  /** What it was asked first; `null`: it was asked in an earlier iteration. */
  wrote: z.nullable(z.object({ run: ProverRun, document: z.string(), tried: z.array(TriedCheck) })),
  /** What it was asked of checks that failed twice, by their place; `null`: nothing. */
  ruled: z.nullable(z.object({ run: ProverRun, about: z.array(z.number()) })),
});
export type ProverFacts = z.infer<typeof ProverFacts>;

/** What the journal keeps of the decisions: agents can read it. */
export const CarriedProver = z.object({
  /** What the task keeps; `null`: the prover wasn't asked. */
  next: z.nullable(TaskProver),
  /** The agent, and what it used in this iteration. */
  agent: z.nullable(z.string()),
  spend: z.array(Spend),
  /** Checks that were kept, and withdrawn, in this iteration. */
  kept: z.number(),
  withdrawn: z.number(),
});
/** What follows from the facts. */
export const ProverDecisions = z.object({
  ...CarriedProver.shape,
  /** Why checks were kept or withdrawn, by their place. */
  rulings: z.array(z.object({ at: z.number(), keeps: z.boolean(), reason: z.string() })),
});
export type ProverDecisions = z.infer<typeof ProverDecisions>;

/** How the prover did in a run. */
export const ProverScore = z.object({
  agents: z.array(z.string()),
  kept: z.number(),
  withdrawn: z.number(),
  ...Spent.shape,
});
export type ProverScore = z.infer<typeof ProverScore>;

export const MOST_CHECKS = 5;
export const MOST_FILES = 5;
/** Characters of one file, and of a command. */
export const MOST_TEXT = 20_000;
export const MOST_COMMAND = 500;
