import * as z from 'zod/mini';

/** Guidance for the next prompt (docs/PROMPT_ANATOMY.md). */
export const FeedbackEntry = z.object({
  at: z.string(),
  /** Id of the task that the entry is for; `null`: it is guidance for all tasks. */
  taskId: z.nullable(z.string()),
  iteration: z.nullable(z.number()),
  /** A finding type or verdict if the loop wrote the entry, `guidance` if you did. */
  kind: z.string(),
  /** `suggestion`: written by ralph when it unblocked the task automatically, and kept like your own guidance. */
  source: z.enum(['loop', 'person', 'suggestion']),
  text: z.string(),
});
export type FeedbackEntry = z.infer<typeof FeedbackEntry>;

export function feedbackKey({ at, taskId, text }: FeedbackEntry): string {
  return JSON.stringify([at, taskId, text]);
}
