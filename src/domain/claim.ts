import * as z from 'zod/mini';

/** One thing the agent points to. Line numbers are 1-based and inclusive. */
export const EvidenceItem = z.object({
  path: z.string(),
  from: z.nullable(z.number()),
  to: z.nullable(z.number()),
  /** What is said to have happened to the file; `touched` when nothing more is said. */
  says: z.enum(['touched', 'created', 'modified', 'deleted']),
  note: z.string(),
  /** `block` evidence is claimed outright; `prose` is found by pattern. */
  source: z.enum(['block', 'prose']),
});
export type EvidenceItem = z.infer<typeof EvidenceItem>;

/** What the agent says of its work, read from its own final message alone. */
export const Claim = z.object({
  /** `already_done`: nothing was left to do when the agent came. */
  status: z.enum(['done', 'already_done', 'in_progress', 'blocked', 'none']),
  /** The explicit EXIT_SIGNAL; `null` when it gives none. An explicit `false` wins over any prose. */
  exitSignal: z.nullable(z.boolean()),
  /** True when the agent claims completion: DONE or EXIT_SIGNAL true or the promise tag, and no explicit false. */
  completion: z.boolean(),
  taskId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** True when prose or block speaks of files written. */
  claimsWrites: z.boolean(),
  evidence: z.array(EvidenceItem),
});
export type Claim = z.infer<typeof Claim>;

/** What the work tree says of a path that the claim or a criterion names, after the attempt. */
export const FileFact = z.object({
  path: z.string(),
  /** It is in the snapshot. */
  exists: z.boolean(),
  /** It is on the disk and in no snapshot, as git ignores it. */
  ignored: z.boolean(),
  /** Number of lines; `null` for what isn't a text file. */
  lines: z.nullable(z.number()),
});
export type FileFact = z.infer<typeof FileFact>;

export const EvidenceCheck = z.object({
  item: EvidenceItem,
  /** `mistaken`: the work is there, and its line or path is given wrongly. */
  standing: z.enum(['confirmed', 'unconfirmed', 'mistaken', 'contradicted']),
  why: z.string(),
});
export type EvidenceCheck = z.infer<typeof EvidenceCheck>;

/** `not_checked`: nothing but running or reading it can tell. */
export const CriterionStatus = z.enum(['shown', 'contradicted', 'not_checked']);
export type CriterionStatus = z.infer<typeof CriterionStatus>;

/** What the files say of an acceptance criterion. */
export const CriterionCheck = z.object({
  /** 0-based number among the task's criteria. */
  criterion: z.number(),
  standing: CriterionStatus,
  /** What was seen, as a sentence without a full stop. */
  why: z.string(),
});
export type CriterionCheck = z.infer<typeof CriterionCheck>;

/** The same with the criterion's own words: the task may be reworded later. */
export const CriterionOnRecord = z.object({
  text: z.string(),
  ...z.omit(CriterionCheck, { criterion: true }).shape,
});
export type CriterionOnRecord = z.infer<typeof CriterionOnRecord>;
