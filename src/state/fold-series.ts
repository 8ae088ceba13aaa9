import type { KnownCheckpoint } from '../domain/intervention.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import { isSameWorkplace, taskStateOf, type Workplace } from '../domain/records/state.ts';
import { type Draft, setOwn, updateWorkplace } from './draft.ts';
import { noteKeptChange } from './fold-human.ts';

export function foldSeriesStarted(draft: Draft, record: JournalBodyOf<'iteration_started'>): void {
  const { taskId, worker, worktree, checkpoint, head, branch } = record;
  const { tree } = checkpoint;
  const task = taskStateOf(draft, taskId);
  const fresh = { worker, worktree, tree, head, branch, work: [], unjudged: [] };
  setOwn(draft.tasks, taskId, { ...task, series: task.series ?? fresh });
}

/** Clears the series if the rollback went back to before it, because none of its work is left. */
export function foldSeriesRolledBack(
  draft: Draft,
  taskId: string,
  checkpoint: Pick<KnownCheckpoint, 'tree' | 'iteration'> | undefined,
): void {
  const task = taskStateOf(draft, taskId);
  const [first] = task.attempts;
  if (task.series === null || checkpoint === undefined || first === undefined) return;
  // The checkpoint of the first attempt has work of an earlier series, with which this one began.
  const isBefore = checkpoint.tree === task.series.tree || checkpoint.iteration < first.iteration;
  if (isBefore) setOwn(draft.tasks, taskId, { ...task, series: { ...task.series, work: [], unjudged: [] } });
}

type Changed = Workplace & {
  readonly taskId: string;
  readonly changedPaths: readonly string[];
  readonly leftTree: string | null;
};

/**
 * Adds an attempt's changes to the series.
 * @param judged False if an outside cause ended the attempt
 */
export function foldSeriesChanged(draft: Draft, record: Changed, judged: boolean): void {
  const { taskId, changedPaths, leftTree } = record;
  updateWorkplace(draft, record, { leftTree });
  const task = taskStateOf(draft, taskId);
  if (task.series === null) return;
  const series = {
    ...task.series,
    work: union(task.series.work, changedPaths),
    unjudged: judged ? [] : union(task.series.unjudged, changedPaths),
  };
  setOwn(draft.tasks, taskId, { ...task, series });
}

export function foldSeriesEnded(draft: Draft, taskId: string): void {
  setOwn(draft.tasks, taskId, { ...taskStateOf(draft, taskId), series: null });
}

/** Clears the series of a workplace, because you put its work tree in order. */
export function foldSeriesForgotten(draft: Draft, workplace: Workplace): void {
  for (const [id, { series }] of Object.entries(draft.tasks))
    if (series !== null && isSameWorkplace(series, workplace)) foldSeriesEnded(draft, id);
}

/** Drops facts about lost trees, because nothing can be compared with them or restored from them. */
export function foldTreesLost(draft: Draft, { trees }: JournalBodyOf<'trees_lost'>): void {
  const isLost = (tree: string | undefined) => tree !== undefined && trees.includes(tree);
  for (const place of draft.workplaces) {
    const { leftTree, openRollback, checkpoints } = place;
    updateWorkplace(draft, place, {
      leftTree: leftTree !== null && isLost(leftTree) ? null : leftTree,
      openRollback: isLost(openRollback?.tree) ? null : openRollback,
      checkpoints: checkpoints.filter(({ tree }) => !isLost(tree)),
    });
  }
  for (const [id, task] of Object.entries(draft.tasks)) {
    const { series, setAside } = task;
    const hasLost = {
      series: isLost(series?.tree),
      setAside: isLost(setAside?.base) || isLost(setAside?.tree),
    };
    if (!hasLost.series && !hasLost.setAside) continue;
    setOwn(draft.tasks, id, {
      ...task,
      series: hasLost.series ? null : series,
      setAside: hasLost.setAside ? null : setAside,
    });
  }
}

function union(some: readonly string[], more: readonly string[]): string[] {
  return more.length === 0 ? [...some] : [...new Set([...some, ...more])];
}

/** Records kept work. The tree is then as before the series, with your own changes. */
export function foldWorkSetAside(draft: Draft, record: JournalBodyOf<'work_set_aside'>): void {
  const { taskId, setAside, leftTree, why, rollback } = record;
  const task = taskStateOf(draft, taskId);
  if (setAside === null) {
    foldSeriesEnded(draft, taskId);
    return;
  }
  if (why === 'replaced') {
    const openRollback = rollback === null ? null : { ...rollback, isKept: true };
    updateWorkplace(draft, record, { openRollback, leftTree });
    setOwn(draft.tasks, taskId, { ...task, setAside, takesUp: false });
    return;
  }
  // Earlier checkpoints may hold the work that was set aside.
  updateWorkplace(draft, record, { openRollback: null, leftTree, checkpoints: [] });
  noteKeptChange(draft, taskId, setAside.sha256);
  setOwn(draft.tasks, taskId, {
    ...task,
    series: null,
    setAside,
    takesUp: true,
    // The next attempt gets a fresh session, and growth isn't measured against earlier attempts.
    attempts: task.attempts.map((attempt) => ({ ...attempt, session: null, resources: null })),
  });
}

export function foldWorkTakenUp(draft: Draft, record: JournalBodyOf<'work_taken_up'>): void {
  const { taskId, applied, worker, worktree, tree, head, branch, paths, leftTree } = record;
  updateWorkplace(draft, record, { openRollback: null, leftTree });
  const task = taskStateOf(draft, taskId);
  const series = { worker, worktree, tree, head, branch, work: paths, unjudged: [] };
  setOwn(draft.tasks, taskId, {
    ...task,
    // Work that no longer applies stays kept.
    setAside: applied ? null : task.setAside,
    takesUp: false,
    series: applied ? series : task.series,
  });
}
