import * as z from 'zod/mini';

/** Something of git's that was started in the work tree and isn't finished: a merge, a rebase, a bisect. */
export const GitOperation = z.object({
  /** With its article. */
  what: z.string(),
  /** The commands that end it. */
  finish: z.string(),
  giveUp: z.string(),
});
export type GitOperation = z.infer<typeof GitOperation>;

/** What to do about it, to be set behind its name. */
export function endOperation({ finish, giveUp }: GitOperation): string {
  return finish === giveUp ? `end it (${finish})` : `finish it (${finish}) or give it up (${giveUp})`;
}
