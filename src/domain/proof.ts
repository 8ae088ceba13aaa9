/**
 * Evidence for done work, weakest first. `none`: no gate ran; `gates`: gates pass; `tests`: a test or check fails
 * without the work and passes with it; `held-out`: a gate that the agent never saw passes.
 */
export { Grade } from 'ralph-task-lists/task';

/** A failing test that ralph adds to find out whether a gate can fail. */
export type Canary = {
  readonly path: string;
  readonly text: string;
  /** A part of the test's name that no other test has. */
  readonly name: string;
  /** Changed files that the test loads before it fails. */
  readonly loads: readonly string[];
};
