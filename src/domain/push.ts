import * as z from 'zod/mini';

/** What became of a push (`[git] push`), and of its pull request. */
export const PushResult = z.object({
  run: z.string(),
  remote: z.string(),
  /** As the remote has it. */
  branch: z.string(),
  /** What the remote's branch is at by it; `null`: nothing was pushed. */
  commit: z.nullable(z.string()),
  /** Its address; `null`: there is none. */
  pullRequest: z.nullable(z.string()),
  /** Why something of it wasn't done, as a sentence, and the command that helps; `null`: all was done. */
  problem: z.nullable(z.object({ reason: z.string(), next: z.nullable(z.string()) })),
});
export type PushResult = z.infer<typeof PushResult>;
export type PushProblem = NonNullable<PushResult['problem']>;
