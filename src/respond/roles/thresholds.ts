/** The numbers of all shadows. `Over` is more than, `AtLeast` as many or more, `Share` a part of 1. */
export const THRESHOLDS = {
  explorer: {
    wordsOver: 2000,
    tangentsOver: 3,
    filesOver: 15,
    /** Of the report, at its end, in which a synthesis is looked for. */
    synthesisShare: 0.25,
    /** A report of fewer words needs none. */
    synthesisFromWords: 200,
    /** Of the files read, named in the report: then each was read for a reason. */
    relevantShare: 0.8,
  },
  creator: {
    abstractionsOver: 2,
    /** Files of the plan to files that the task expects. */
    scopeOver: 1.5,
    packagesOver: 1,
  },
  maker: {
    filesAtLeast: 3,
    /** Files of one commit that holds the whole change. */
    monolithicAtLeast: 8,
    outsideAtLeast: 1,
  },
  guardian: {
    criticalsAtLeast: 3,
    /** CRITICALs to WARNINGs. */
    ratioOver: 2,
    rejectionsAtLeast: 3,
    fixShareUnder: 0.5,
    compromisedAtLeast: 1,
  },
  skeptic: {
    challengesOver: 7,
    alternativeShareUnder: 0.5,
    /** Words that two claims share. */
    sameShareAtLeast: 0.6,
    outOfScopeOver: 3,
  },
  trickster: {
    untouchedAtLeast: 1,
    findingsOver: 10,
    filesUnder: 5,
    impossibleAtLeast: 1,
    withoutReproOver: 3,
  },
  sage: {
    /** Words of the review to lines of the diff. */
    wordsOver: 2,
    /** A review of fewer words is short, however small the change. */
    wordsFrom: 120,
    outsideAtLeast: 1,
    considerOver: 2,
    trivialDocsAtLeast: 1,
  },
  system: {
    /** Reviewers with findings, and their findings together. */
    tunnelReviewers: 2,
    tunnelFindings: 3,
    consensusUnderSeconds: 30,
    /** Planning to doing. */
    planOver: 2,
    /** Planning of fewer seconds is no paralysis, however fast the maker is. */
    planFromSeconds: 120,
    explorerStartsAtLeast: 3,
    warningsAtLeast: 3,
    runsAtLeast: 2,
    /** Files changed to files of the proposal. */
    scopeOver: 2,
  },
} as const;
