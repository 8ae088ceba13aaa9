import * as z from 'zod/mini';

/** `not_checked`: nothing but running or reading it can tell. */
export const CriterionStanding = z.enum(['shown', 'contradicted', 'not_checked']);
export type CriterionStanding = z.infer<typeof CriterionStanding>;

/** What the files say of an acceptance criterion. */
export const CriterionCheck = z.object({
  /** 0-based number among the task's criteria. */
  criterion: z.number(),
  standing: CriterionStanding,
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
