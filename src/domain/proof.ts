import * as z from 'zod/mini';

/**
 * How well it is shown that work is done, weakest first. `none`: no gate ran; `gates`: they pass; `tests`: a test or a check fails without
 * the work and passes with it; `held-out`: a gate passes that the agent never saw.
 */
export const GRADES = ['none', 'gates', 'tests', 'held-out'] as const;
export const Grade = z.enum(GRADES);
export type Grade = z.infer<typeof Grade>;

/** A failing test that ralph adds to see whether a gate can fail. */
export type Canary = {
  /** Relative to the top. */
  readonly path: string;
  readonly text: string;
  /** A part of the test's name that no other test has. */
  readonly name: string;
  /** Changed files that it loads before it fails. */
  readonly loads: readonly string[];
};
