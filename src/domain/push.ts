import * as z from 'zod/mini';

export const PushResult = z.object({
  run: z.string(),
  remote: z.string(),
  branch: z.string(),
  /** Commit of the remote branch after the push; `null`: nothing was pushed. */
  commit: z.nullable(z.string()),
  /** Address of the pull request; `null`: there is none. */
  pullRequest: z.nullable(z.string()),
  /**
   * A sentence about the failure. `next`: the command that helps, `null`: none does. The whole value is `null` without
   * a failure.
   */
  problem: z.nullable(z.object({ reason: z.string(), next: z.nullable(z.string()) })),
});
export type PushResult = z.infer<typeof PushResult>;
export type PushProblem = NonNullable<PushResult['problem']>;
