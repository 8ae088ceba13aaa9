import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew, pathText } from 'ralph-kit/text';
import { taskFinder } from 'ralph-task-lists';
import { GITLINK, pathsOf } from '../../domain/change-set.ts';
import { EXIT } from '../../domain/exit.ts';
import { GitError } from '../../domain/ports.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { noTaskText } from '../../domain/task.ts';
import { landCommand, taskCommand, workPlaceOf } from '../../domain/work-place.ts';
import { takeIgnored } from '../../git/index.ts';
import { loadTasks, seriesWork } from '../../loop/index.ts';
import { taskOption } from '../../tell/index.ts';
import { changedTrees } from '../records/changed-trees.ts';
import { findAttempts } from '../records/find-attempts.ts';
import { iterationsByNumber, olderWork, taskWorkFailure } from '../records/kept-work.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type TakeInput = ProjectInput & {
  /** Task by id or number. `T-1@2` means its older work, named as in `ralph checkpoints`. */
  readonly which: string;
  /** Number of an attempt in the current series, from 1, whose work is taken; `null`: the newest work. */
  readonly attempt: number | null;
  readonly ignored: readonly string[];
};
export type TakeResult = DataOf<typeof take>;

/** Takes an unfinished task's saved work into the checkout, uncommitted, and saves the checkout's own content first. */
export function take({ which: name, attempt, ignored, ...input }: TakeInput) {
  return inProject(input, (project) =>
    withRunLock(project, 'take', async () => {
      const { tasks: known } = project.store.refresh();
      const loaded = await loadTasks({ ports: project });
      const listed = loaded.ok ? loaded.tasks.map(({ id }) => id) : [];
      const isKnown = (id: string) => Object.hasOwn(known, id) || listed.includes(id);
      const which = Object.hasOwn(known, name) ? name : (taskFinder(listed)(name) ?? name);
      const named = taskWorkFailure(project, which);
      if (named !== null) return named;
      const older = isKnown(which) ? null : olderWork(project, which);
      if (!isKnown(which) && older === null)
        return loaded.ok
          ? failure(noTaskText(which, listed, loaded.tracker.givenUp), 'ralph tasks')
          : failure(loaded.message, loaded.next ?? 'ralph doctor');
      const asked =
        older !== null
          ? { ok: true as const, work: older }
          : attempt === null
            ? await newestWork(project, which)
            : await workAfter(project, which, attempt);
      if (!asked.ok) return asked;
      const { git, store } = project;
      const { work: found } = asked;
      const isOfList = project.owner === 'list' && listed.includes(which);
      const next = isOfList
        ? [`ralph verify --dirty ${taskOption(which)}`, taskCommand('tasks accept', which)]
        : ['ralph verify --dirty'];
      const now = await git.snapshot();
      const { changes: own } = await git.diff({ ...now, tree: found.base }, { ...now, tree: found.tree });
      // A submodule isn't moved in your checkout: the result names the command for it, and the other files are taken.
      const links = own.filter(({ oldMode, newMode }) => oldMode === GITLINK && newMode === GITLINK);
      const differ = new Set(pathsOf(await git.diff(now, { ...now, tree: found.tree })));
      const isThere = pathsOf({ changes: own.filter((change) => !links.includes(change)) }).every(
        (path) => !differ.has(path),
      );
      if (isThere && links.length === 0 && ignored.length === 0)
        return success({ taken: which, kept: null, submodules: [], paths: [], next });
      const onto = await git.compose({
        base: now.tree,
        from: found.base,
        paths: links.map(({ path }) => path),
      });
      const target = isThere
        ? onto
        : await git.applyToTree(onto, await git.wholePatch(found.base, found.tree));
      if (target === null) {
        const since = new Set(pathsOf(await git.diff({ ...now, tree: found.base }, now)));
        const both = pathsOf({ changes: own })
          .filter((path) => since.has(path))
          .map(pathText);
        const why = both.length === 0 ? '' : `: ${firstFew(both)} changed since`;
        const message = `The work of ${which} doesn't apply to your checkout as it is now${why}. Nothing was changed.`;
        return failure(message, taskCommand('diff', which));
      }
      const missing = ignored.find((path) => !existsSync(resolve(project.work.mounted.files, path)));
      if (missing !== undefined)
        return failure(`The copy holds no ${missing}. Nothing was changed.`, 'ralph work path');
      const refused = ignored.find((path) => existsSync(resolve(project.root, path)));
      if (refused !== undefined)
        return failure(
          `${refused} is there already. Nothing was changed.`,
          `mv ${shellQuote(refused)} ${shellQuote(`${refused}.old`)}`,
        );
      const kept = await git.keep(now.tree, `before the work of ${which} was taken`, 'before-take');
      const brought = await git.bringTree(now, target, onto);
      if (brought.kind === 'in_the_way') {
        const message = `${firstFew(brought.paths.map(pathText))} is in the way. Nothing was changed.`;
        return failure(message, 'git status', EXIT.unexpected);
      }
      const taken = ignored.filter((path) => takeIgnored(project.root, project.work.mounted.files, path));
      store.writeViews();
      const left = brought.submodules.filter(({ needs }) => needs !== null).map(({ path }) => path);
      return success({
        taken: which,
        kept,
        submodules: brought.submodules,
        paths: [...brought.paths.filter((path) => !left.includes(path)), ...taken],
        next,
      });
    }),
  );
}

type Found = { readonly ok: true; readonly work: { readonly base: string; readonly tree: string } } | Failure;

async function newestWork(project: Project, taskId: string): Promise<Found> {
  const { state } = project.store;
  const place = workPlaceOf(state, taskId);
  if (place.kind === 'lands') return failure(`${taskId} is verified: it lands.`, place.command);
  const inCopy = await seriesWork({ ports: project, workplace: project.workplace }, taskId);
  const work = inCopy === null || inCopy.base === inCopy.tree ? taskStateOf(state, taskId).setAside : inCopy;
  if (work !== null) return { ok: true, work };
  const line = (await project.line.current())?.results.findLast((one) => one.taskId === taskId);
  if (line?.status.kind === 'withdrawn')
    return failure(`${taskId} is verified, and you took it out.`, landCommand(taskId));
  const why = taskStateOf(state, taskId).doneBy === null ? 'no attempt at it changed a file' : 'it is done';
  return failure(`No work of ${taskId} is kept: ${why}.`, taskCommand('explain', taskId));
}

async function workAfter(project: Project, taskId: string, attempt: number): Promise<Found> {
  const numbers = iterationsByNumber(project.store.state, taskId);
  const wanted = numbers.get(attempt);
  if (wanted === undefined) {
    const has = numbers.size === 0 ? 'no attempts' : `${counted(numbers.size, 'attempt')}`;
    return failure(`${taskId} has ${has} in its current series.`, taskCommand('explain', taskId));
  }
  const found = findAttempts(project, { which: null, task: taskId }, 'ralph take');
  if (!found.ok) return found;
  const made = found.attempts.filter(({ iteration }) => iteration <= wanted);
  // Work before the task's newest verdict "done" is already on your branch.
  const done = made.findLastIndex(
    ({ ended }) => ended?.type === 'iteration_finished' && ended.attempt.verdict === 'done',
  );
  const gone = () => failure(`git no longer holds what attempt ${attempt} left.`, `ralph diff ${wanted}`);
  try {
    const trees = await changedTrees(project.git, made.slice(done + 1));
    if (trees === null) return gone();
    if (trees.from !== trees.to) return { ok: true, work: { base: trees.from, tree: trees.to } };
    return failure(`${taskId} had changed no file after attempt ${attempt}.`, `ralph logs ${wanted}`);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return gone();
  }
}
