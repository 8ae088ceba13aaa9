import * as z from 'zod/mini';
import { GateResult } from './gate.ts';

export const Purpose = z.enum([
  'baseline',
  'whole',
  'outside',
  'opened',
  'broken',
  'trial',
  'set-up',
  'build',
  'lock',
  /**
   * Runs on finished work. `again`: a second run at once; `in-recovery`: a second run that decides nothing; `copy`: a
   * run in the agent's copy.
   */
  'deciding',
  'again',
  'in-recovery',
  'copy',
  'since-when',
  'before',
  /** Runs on the work alone (`alone`), or together with results that landed meanwhile (`joined`). */
  'alone',
  'joined',
  /**
   * Runs that show whether passed gates prove anything. `canary`: with a failing test added. `taken-back`: with the old
   * production code. `old-tests`: with the old tests. `as-demanded`: with the old version of all files that define a
   * gate's requirements, unless the task asks to change them. `broken-code`: with code that fails when called.
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
  'by-hand',
]);
export type Purpose = z.infer<typeof Purpose>;

/**
 * How a mutant changes code. `negate`: a condition; `swap`: an operator; `drop`: a call is left out; `constant`: a
 * number + 1, or an empty text; `return`: the function returns at once.
 */
export const MutantKind = z.enum(['negate', 'swap', 'drop', 'constant', 'return']);
export type MutantKind = z.infer<typeof MutantKind>;

/** Files that were written over a tree before the command ran. */
export const PutIn = z.object({
  files: z.array(z.string()),
  /** Ignored paths that were copied from another copy. */
  ignored: z.array(z.string()),
  /** The failing test that ralph added to one of the files; `null`: none was added. */
  canary: z.nullable(
    z.object({
      path: z.string(),
      /** A part of the test's name that no other test has. */
      name: z.string(),
      loads: z.array(z.string()),
      runner: z.string(),
      beside: z.string(),
    }),
  ),
  mutant: z.nullable(
    z.object({
      path: z.string(),
      /** Line number, from 1. */
      line: z.number(),
      kind: MutantKind,
      before: z.string(),
      after: z.string(),
    }),
  ),
});
export type PutIn = z.infer<typeof PutIn>;

export const CommandRun = z.extend(GateResult, {
  why: Purpose,
  /** Start of the run, ISO 8601 UTC. */
  at: z.string(),
  /** Class of the machine (`Ports.process.machine`). */
  machine: z.string(),
  box: z.boolean(),
  commit: z.string(),
  tree: z.string(),
  /** Files written over the tree before the run; `null`: the tree is unchanged. */
  put: z.nullable(PutIn),
  place: z.enum(['clean', 'agents-copy', 'checkout']),
});
export type CommandRun = z.infer<typeof CommandRun>;
