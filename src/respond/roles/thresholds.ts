/**
 * The numbers of all shadows. `Over` is more than, `Under` less than, `AtLeast` as many or more, `From` what makes a text or a time
 * long enough to be judged, `Share` a part of 1.
 */
export const THRESHOLDS = {
  explorer: {
    ...{ wordsOver: 2000, tangentsOver: 3, filesOver: 15 },
    /** Of the report, at its end, in which a synthesis is looked for. */
    ...{ synthesisShare: 0.25, synthesisFromWords: 200 },
    /** Of the files read, named in the report: then each was read for a reason. */
    relevantShare: 0.8,
  },
  /** `scopeOver`: files of the plan to files that the task expects. */
  creator: { abstractionsOver: 2, scopeOver: 1.5, packagesOver: 1 },
  /** `monolithicAtLeast`: files of one commit that holds the whole change. */
  maker: { filesAtLeast: 3, monolithicAtLeast: 8, outsideAtLeast: 1 },
  guardian: {
    /** `ratioOver`: CRITICALs to WARNINGs. */
    ...{ criticalsAtLeast: 3, ratioOver: 2, rejectionsAtLeast: 3 },
    ...{ fixShareUnder: 0.5, compromisedAtLeast: 1 },
  },
  /** `sameShareAtLeast`: words that two claims share. */
  skeptic: { challengesOver: 7, alternativeShareUnder: 0.5, sameShareAtLeast: 0.6, outOfScopeOver: 3 },
  trickster: {
    ...{ untouchedAtLeast: 1, findingsOver: 10, filesUnder: 5 },
    ...{ impossibleAtLeast: 1, withoutReproOver: 3 },
  },
  /** `wordsOver`: words of the review to lines of the diff. */
  sage: { wordsOver: 2, wordsFrom: 120, outsideAtLeast: 1, considerOver: 2, trivialDocsAtLeast: 1 },
  system: {
    /** Reviewers with findings, and their findings together. */
    ...{ tunnelReviewers: 2, tunnelFindings: 3, consensusUnderSeconds: 30 },
    /** Planning to doing. */
    ...{ planOver: 2, planFromSeconds: 120, explorerStartsAtLeast: 3 },
    /** `scopeOver`: files changed to files of the proposal. */
    ...{ warningsAtLeast: 3, runsAtLeast: 2, scopeOver: 2 },
  },
} as const;
