import * as z from 'zod/mini';

/** A journal of which nothing says that ralph wrote it here. */
export const JournalUnverified = z.object({
  /** Ends a sentence about it. */
  reason: z.string(),
  /** How many records it has, or had. */
  records: z.number(),
  /** How many tasks it calls done. */
  done: z.number(),
  /** Where it was put, relative to `.ralph`; `null`: it stands in its place, or is lost. */
  path: z.nullable(z.string()),
});
