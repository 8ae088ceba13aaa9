import * as z from 'zod/mini';

/** Guidance that goes into the next prompt (spec 1-loop, Feedback). */
export const FeedbackEntry = z.object({
  at: z.string(),
  /** `null`: for every task. */
  taskId: z.nullable(z.string()),
  iteration: z.nullable(z.number()),
  /** A finding type or verdict for the loop's own, `guidance` for yours. */
  kind: z.string(),
  /** `suggestion`: ralph's own words when it unblocked the task without being asked; they stay as yours do. */
  source: z.enum(['loop', 'person', 'suggestion']),
  text: z.string(),
});
export type FeedbackEntry = z.infer<typeof FeedbackEntry>;
