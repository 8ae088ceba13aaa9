import * as z from 'zod/mini';
import { match } from '../../lib/match.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { firstFew, stripControl } from '../../lib/text.ts';
import { TRACKER_KINDS } from '../task.ts';

/** Why a task is done whose mark no verdict explains. */
export type Explained = { readonly taskId: string; readonly doneBy: DoneBy };

const done = { title: z.string(), at: z.string() };

/**
 * Why a task is done; `title` is the one that it had then, so that another task can't take its place by its id.
 * `verdict`: a run of ralph verified it. `commit`: its mark came with a commit while no run and no attempt was open.
 * `issue`: someone other than the account in use closed it. `you`: `ralph tasks accept`. `import`: it was done when ralph
 * saw the tracker first.
 */
export const DoneBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verdict'), run: z.string(), iteration: z.number(), ...done }),
  z.object({ kind: z.literal('commit'), commit: z.string(), author: z.string(), ...done }),
  z.object({ kind: z.literal('issue'), by: z.string(), ...done }),
  z.object({ kind: z.literal('you'), ...done }),
  z.object({ kind: z.literal('import'), ...done }),
]);
export type DoneBy = z.infer<typeof DoneBy>;

/** The commit of marks, which no task's commit holds: so each of those can be reverted alone. */
export const MARKS_SUBJECT = 'Mark what is done';

/** Commits by which marks in a tracker are distinguished: who made them is decided by when they came. Ids of commits. */
export const KnownHeads = z.object({
  /** HEAD when the last run or attempt ended; what came since, with nothing open, is yours. `null`: nothing is known. */
  known: z.nullable(z.string()),
});

/** The tracker that the first run found; another one is adopted only when you say so (`[tracker]`). */
export const FixedTracker = z.object({
  /** `[tracker] kind` of that time. */
  kind: z.enum(['auto', ...TRACKER_KINDS]),
  /** Relative to the repository, or absolute where it lies outside; empty for a service. */
  path: z.string(),
  /** Other files that could be the tracker and were named to you. */
  others: z.array(z.string()),
});
export type FixedTracker = z.infer<typeof FixedTracker>;

/** Tasks that a line names. */
const NAMED = 10;

/** A task whose mark went from the task list as `git checkout`, a stash or a reset takes it: it stays what it is. */
export type TakenBack = { readonly taskId: string; readonly mark: 'done' | 'blocked' };

/** What such tasks still are, a sentence for each status, with the command that changes it. */
export function takenBackLines(tasks: readonly TakenBack[]): readonly string[] {
  return (['blocked', 'done'] as const).flatMap((mark) => {
    const ids = tasks.filter((one) => one.mark === mark).map(({ taskId }) => taskId);
    if (ids.length === 0) return [];
    const [are, marks] = ids.length === 1 ? ['is', 'its mark was'] : ['are', 'their marks were'];
    const command = mark === 'blocked' ? 'ralph unblock' : 'ralph tasks reopen';
    return `${firstFew(ids, NAMED)} ${are} still ${mark}: ${marks} taken back. ${command} ${ids.map(shellQuote).join(' ')}`;
  });
}

/** What was accepted, a line for each source. */
export function acceptedLines(
  accepted: readonly { readonly taskId: string; readonly doneBy: DoneBy }[],
): readonly string[] {
  const bySource = new Map<string, string[]>();
  for (const { taskId, doneBy } of accepted) {
    const source = sourceOf(doneBy);
    bySource.set(source, [...(bySource.get(source) ?? []), taskId]);
  }
  return [...bySource].map(([source, ids]) => {
    const count = ids.length === 1 ? '1 task is' : `${ids.length} tasks are`;
    return `${count} done, ${source}: ${firstFew(ids, NAMED)}`;
  });
}

function sourceOf(doneBy: DoneBy): string {
  return match(doneBy, 'kind', {
    verdict: () => 'verified',
    commit: (doneBy) => `accepted from ${doneBy.commit.slice(0, 7)} by ${stripControl(doneBy.author)}`,
    issue: (doneBy) => `closed by ${stripControl(doneBy.by)}`,
    you: () => 'accepted by you',
    import: () => 'as they were when ralph came',
  });
}
