/**
 * Thresholds for signs of shadows. Names end with `Over` (more than), `Under` (less than), `AtLeast` (as many or more),
 * `From` (judged from this number on) or `Share` (part of 1).
 */
export const THRESHOLDS = {
  explorer: {
    wordsOver: 2000,
    tangentsOver: 3,
    filesOver: 15,
    /** Share at the end of a report in which a synthesis is expected. */
    synthesisShare: 0.25,
    synthesisFromWords: 200,
    /** Share of the read files that a report has to name: then each was read for a reason. */
    relevantShare: 0.8,
  },
  /** Limits of the creator. `scopeOver`: number of the plan's files ÷ number of files that the task expects. */
  creator: { abstractionsOver: 2, scopeOver: 1.5, packagesOver: 1 },
  /** `monolithicAtLeast`: number of files in a single commit with the whole change. */
  maker: { filesAtLeast: 3, monolithicAtLeast: 8, outsideAtLeast: 1 },
  guardian: {
    /** `ratioOver`: number of CRITICALs ÷ number of WARNINGs. */
    criticalsAtLeast: 3,
    ratioOver: 2,
    rejectionsAtLeast: 3,
    fixShareUnder: 0.5,
    compromisedAtLeast: 1,
  },
  /** `sameShareAtLeast`: share of words that two claims have in common. */
  skeptic: { challengesOver: 7, alternativeShareUnder: 0.5, sameShareAtLeast: 0.6, outOfScopeOver: 3 },
  trickster: {
    untouchedAtLeast: 1,
    findingsOver: 10,
    filesUnder: 5,
    impossibleAtLeast: 1,
    withoutReproOver: 3,
  },
  /** `wordsOver`: words of the review ÷ lines of the diff. */
  sage: { wordsOver: 2, wordsFrom: 120, outsideAtLeast: 1, considerOver: 2, trivialDocsAtLeast: 1 },
  system: {
    /** `tunnelReviewers`: reviewers with findings; `tunnelFindings`: sum of their findings. */
    tunnelReviewers: 2,
    tunnelFindings: 3,
    consensusUnderSeconds: 30,
    /** `planOver`: planning time ÷ working time. */
    planOver: 2,
    planFromSeconds: 120,
    explorerStartsAtLeast: 3,
    /** `scopeOver`: number of changed files ÷ number of files in the proposal. */
    warningsAtLeast: 3,
    runsAtLeast: 2,
    scopeOver: 2,
  },
} as const;
