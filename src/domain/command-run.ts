import * as z from 'zod/mini';
import { GateResult } from './gate.ts';

/** Why a command was started. */
export const Purpose = z.enum([
  /** How it stands before any work, and what it needs for that. */
  'baseline',
  'whole',
  'outside',
  'opened',
  'broken',
  'trial',
  /** To install packages, to build the project, or to write a lock file anew in a copy, before anything is tested there. */
  'set-up',
  'build',
  'lock',
  /**
   * Whether work is done. `again`: the same, back to back; `in-recovery`: as well, and nothing is decided by it; `copy`: in the copy of the agent.
   */
  'deciding',
  'again',
  'in-recovery',
  'copy',
  /** Whether it holds without the work. */
  'since-when',
  'before',
  /** Work without, or with, what landed meanwhile. */
  'alone',
  'joined',
  /**
   * Whether the gates that passed say anything. `canary`: with a failing test; `taken-back`: with the production code of before; `old-tests`: with
   * the tests of before; `as-demanded`: with all of before by which a gate that was red demands something, as far as the task doesn't ask to change it;
   * `broken-code`: with code that fails as it is called.
   */
  'canary',
  'taken-back',
  'old-tests',
  'as-demanded',
  'broken-code',
  'check-before',
  'check',
  'prover-before',
  'prover',
  'mutant',
  'landing',
  /** You asked for it. */
  'by-hand',
]);
export type Purpose = z.infer<typeof Purpose>;

/**
 * `negate`: a condition is the other way round; `swap`: an operator is its counterpart; `drop`: a call is left out; `constant`: a number is one
 * more, a text is empty; `return`: a function returns at once.
 */
export const MutantKind = z.enum(['negate', 'swap', 'drop', 'constant', 'return']);
export type MutantKind = z.infer<typeof MutantKind>;

/** Files that were written over a tree before the command ran. */
export const PutIn = z.object({
  /** Paths of files that were written. */
  files: z.array(z.string()),
  /** Paths that git ignores and that were copied from another copy. */
  ignored: z.array(z.string()),
  /** The failing test that ralph added, where one of the files holds it. */
  canary: z.nullable(
    z.object({
      path: z.string(),
      /** A part of its name that no other test has. */
      name: z.string(),
      /** Changed files that it loads. */
      loads: z.array(z.string()),
      /** What runs it, and the test that it lies beside. */
      runner: z.string(),
      beside: z.string(),
    }),
  ),
  /** The small mistake in one of the files. */
  mutant: z.nullable(
    z.object({
      path: z.string(),
      /** 1-based. */
      line: z.number(),
      kind: MutantKind,
      /** The line as it is, and with the mistake. */
      before: z.string(),
      after: z.string(),
    }),
  ),
});
export type PutIn = z.infer<typeof PutIn>;

/** A command that ran on a tree, whatever for. */
export const CommandRun = z.extend(GateResult, {
  why: Purpose,
  /** When it began, ISO 8601 UTC. */
  at: z.string(),
  /** Class of the machine (`Ports.process.machine`). */
  machine: z.string(),
  /** Whether a box held it. */
  box: z.boolean(),
  /** The commit that it stood on. */
  commit: z.string(),
  tree: z.string(),
  /** `null`: the tree as it is. */
  put: z.nullable(PutIn),
  place: z.enum(['clean', 'agents-copy', 'checkout']),
});
export type CommandRun = z.infer<typeof CommandRun>;
