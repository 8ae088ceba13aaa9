/**
 * Verdict on work that ralph didn't start. `verified`: a test or check fails without the work and passes with it.
 * `verified_weak`: only gates show that it works. `cant_tell`: there is no evidence, or you have to decide.
 */
export type WorkVerdict = 'verified' | 'verified_weak' | 'not_verified' | 'cant_tell';

export const VERDICT_WORDS: Readonly<Record<WorkVerdict, string>> = {
  verified: 'verified',
  verified_weak: 'verified, weak',
  not_verified: 'not verified',
  cant_tell: "can't tell",
};

/** Exit codes of `ralph verify`. `usage` includes commands that you haven't trusted, because nothing was run. */
export const VERIFY_EXIT = {
  verified: 0,
  verified_weak: 0,
  not_verified: 1,
  cant_tell: 2,
  usage: 3,
} as const;

export const REMARK_RULES = {
  nothing_changed: 'Nothing was changed',
  credential: 'A credential is in the work, or in one of its commits',
  gates: "A gate got worse, or can't fail any more",
  criterion: 'What was asked for is contradicted by the files',
  proof: 'Running the work in other ways speaks against it',
  evidence: "What the report shows isn't there",
  avoidance: 'Checks were made weaker',
  tests_alone: 'Code was asked for, and only tests changed',
  unfinished: "Something is in the work that can't be committed",
  refused: "The work isn't accepted",
  decision: 'You have to decide',
  shown: 'What shows that it works',
  weak: 'How little shows it',
  not_asked: 'Nothing was asked for',
  look: 'Something to check, which does not count',
  red_before: 'A gate that failed before the work',
} as const;
export type RemarkRule = keyof typeof REMARK_RULES;

export type Remark = {
  readonly rule: RemarkRule;
  /** `error`: the remark counts against the work. `warning` and `note` don't. */
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  /** Path relative to the top of the work; `null`: the remark isn't about a file. */
  readonly path: string | null;
  /** Line number from 1; `null`: the remark isn't about a line. */
  readonly line: number | null;
  readonly excerpt: readonly string[];
};

/** The answer of `ralph verify` about some work, with the most important remarks first. */
export type Answer = { readonly verdict: WorkVerdict; readonly remarks: readonly Remark[] };
