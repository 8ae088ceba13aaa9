import { match } from 'ralph-kit/match';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew, stripControl } from 'ralph-kit/text';
import { TRACKER_KINDS } from 'ralph-task-lists';
import * as z from 'zod/mini';

export type Explained = { readonly taskId: string; readonly doneBy: DoneBy };

const done = { title: z.string(), at: z.string() };

/**
 * Why a task is done. `verdict`: a run of ralph verified it. `commit`: a commit marked it while no run and no attempt
 * was open. `issue`: another account closed its issue. `you`: `ralph tasks accept`. `import`: it was done before
 * ralph's first run. The `title` prevents that a later task with the same id counts as done.
 */
export const DoneBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verdict'), run: z.string(), iteration: z.number(), ...done }),
  z.object({ kind: z.literal('commit'), commit: z.string(), author: z.string(), ...done }),
  z.object({ kind: z.literal('issue'), by: z.string(), ...done }),
  z.object({ kind: z.literal('you'), ...done }),
  z.object({ kind: z.literal('import'), ...done }),
]);
export type DoneBy = z.infer<typeof DoneBy>;

/**
 * Subject of commits that change only marks. They are separate, so that each task's own commit can be reverted alone.
 */
export const MARKS_SUBJECT = 'Mark what is done';

/**
 * Commits by which ralph distinguishes your marks from an agent's: a mark counts as yours if its commit was made while nothing
 * was running.
 */
export const KnownHeads = z.object({
  /**
   * HEAD at the end of the last run or attempt; `null`: unknown. Marks committed later, while nothing runs, are yours.
   */
  known: z.nullable(z.string()),
});

/** The tracker that the first run used. Later runs keep to it until you change `[tracker]`. */
export const FixedTracker = z.object({
  /** Value of `[tracker] kind` in the first run. */
  kind: z.enum(['auto', ...TRACKER_KINDS]),
  /** Path relative to the repository, or absolute if it is outside; empty for a service. */
  path: z.string(),
  /** Paths of other possible trackers that ralph told you about. */
  others: z.array(z.string()),
});
export type FixedTracker = z.infer<typeof FixedTracker>;

const NAMED = 10;

/** A task whose mark was removed by `git checkout`, a stash or a reset. Its status stays. */
export type TakenBack = { readonly taskId: string; readonly mark: 'done' | 'blocked' };

/** Returns a sentence for each status of these tasks, with the command that changes the status. */
export function takenBackLines(tasks: readonly TakenBack[]): readonly string[] {
  return (['blocked', 'done'] as const).flatMap((mark) => {
    const ids = tasks.filter((one) => one.mark === mark).map(({ taskId }) => taskId);
    if (ids.length === 0) return [];
    const [are, marks] = ids.length === 1 ? ['is', 'its mark was'] : ['are', 'their marks were'];
    const command = mark === 'blocked' ? 'ralph unblock' : 'ralph tasks reopen';
    return `${firstFew(ids, NAMED)} ${are} still ${mark}: ${marks} taken back. ${command} ${ids.map(shellQuote).join(' ')}`;
  });
}

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
