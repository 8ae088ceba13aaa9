import { taskStateOf } from '../../domain/records/state.ts';
import { seriesWork } from '../../loop/index.ts';
import { readDoTask, writeDoTask } from './do-task.ts';
import type { Project } from './project.ts';

/** Deletes the refs of landed work of `ralph do`, and all but one of unlanded work. The caller holds the run lock. */
export async function tidyDo(project: Project): Promise<void> {
  const { line, store, git, workplace } = project;
  const document = readDoTask(project);
  const now = await line.look();
  // Until a result lands, its refs are the only trace of the work.
  const waits = now?.results.some(({ status }) => WAITING.has(status.kind)) === true;
  if (document === null || waits) return;
  const { id } = document.task;
  const { doneBy, setAside } = taskStateOf(store.state, id);
  if (doneBy !== null) {
    await git.dropRefsApart(null);
    await git.removeCopies();
    writeDoTask(project, { ...document, landed: true });
    return;
  }
  const inCopy = await seriesWork({ ports: project, workplace }, id);
  const isKept = inCopy === null || inCopy.base === inCopy.tree;
  const kept = isKept ? (setAside?.checkpoint ?? null) : await git.keep(inCopy.tree, `work of ${id}`);
  await git.dropRefsApart(kept);
}

const WAITING: ReadonlySet<string> = new Set(['open', 'conflicting', 'withdrawn']);
