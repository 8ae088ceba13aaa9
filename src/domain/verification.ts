/**
 * What is said of work that ralph didn't start. `verified`: something fails without it and passes with it; `verified_weak`: nothing but gates
 * shows it; `cant_tell`: nothing says anything of it, or you have to decide.
 */
export type WorkVerdict = 'verified' | 'verified_weak' | 'not_verified' | 'cant_tell';

/** How it is written for people. */
export const VERDICT_WORDS: Readonly<Record<WorkVerdict, string>> = {
  verified: 'verified',
  verified_weak: 'verified, weak',
  not_verified: 'not verified',
  cant_tell: "can't tell",
};

/** What `ralph verify` ends with. `usage`: also where commands aren't trusted, as nothing was run. */
export const VERIFY_EXIT = {
  verified: 0,
  verified_weak: 0,
  not_verified: 1,
  cant_tell: 2,
  usage: 3,
} as const;

/** What a remark may be about, each in a sentence. */
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
  /** `error`: it counts against the work. */
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  /** A file of the work, relative to its top, and its line (1-based); `null`: it has none. */
  readonly path: string | null;
  readonly line: number | null;
  /** Lines of what a gate printed. */
  readonly excerpt: readonly string[];
};

/** Remarks in the order of their weight. */
export type Answer = { readonly verdict: WorkVerdict; readonly remarks: readonly Remark[] };
