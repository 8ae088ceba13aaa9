import * as z from 'zod/mini';

/** A place that the agent names as evidence. Line numbers are 1-based and inclusive. */
export const EvidenceItem = z.object({
  path: z.string(),
  from: z.nullable(z.number()),
  to: z.nullable(z.number()),
  /** The claimed change of the file; `touched` if the claim doesn't say. */
  says: z.enum(['touched', 'created', 'modified', 'deleted']),
  note: z.string(),
  /** `block`: listed in the status block; `prose`: found by a pattern in the text. */
  source: z.enum(['block', 'prose']),
});
export type EvidenceItem = z.infer<typeof EvidenceItem>;

/** The agent's report about its work, read only from its own final message. */
export const Claim = z.object({
  /** `already_done`: nothing was left to do when the agent started. */
  status: z.enum(['done', 'already_done', 'in_progress', 'blocked', 'none']),
  /** The explicit EXIT_SIGNAL; `null` if there is none. An explicit `false` wins over any prose. */
  exitSignal: z.nullable(z.boolean()),
  /**
   * Whether the agent claims completion: by DONE, `EXIT_SIGNAL: true` or the promise tag, and without an explicit
   * false.
   */
  completion: z.boolean(),
  taskId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  claimsWrites: z.boolean(),
  evidence: z.array(EvidenceItem),
});
export type Claim = z.infer<typeof Claim>;

export const FileFact = z.object({
  path: z.string(),
  exists: z.boolean(),
  /** The path is on disk but in no snapshot, because git ignores it. */
  ignored: z.boolean(),
  /** Number of lines; `null` if the file isn't text. */
  lines: z.nullable(z.number()),
});
export type FileFact = z.infer<typeof FileFact>;

export const EvidenceCheck = z.object({
  item: EvidenceItem,
  /** Result of the check. `mistaken`: the work exists, but the claimed line or path is wrong. */
  standing: z.enum(['confirmed', 'unconfirmed', 'mistaken', 'contradicted']),
  why: z.string(),
});
export type EvidenceCheck = z.infer<typeof EvidenceCheck>;

/** `not_checked`: files alone can't show it, only running or reading the code. */
export const CriterionStatus = z.enum(['shown', 'contradicted', 'not_checked']);
export type CriterionStatus = z.infer<typeof CriterionStatus>;

export const CriterionCheck = z.object({
  /** Index of the criterion in the task's list, from 0. */
  criterion: z.number(),
  standing: CriterionStatus,
  why: z.string(),
});
export type CriterionCheck = z.infer<typeof CriterionCheck>;

/** A criterion's check with the criterion's text, because the task may be reworded later. */
export const CriterionOnRecord = z.object({
  text: z.string(),
  ...z.omit(CriterionCheck, { criterion: true }).shape,
});
export type CriterionOnRecord = z.infer<typeof CriterionOnRecord>;
