import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellQuote } from 'ralph-kit/shell-quote';
import { taskFinder } from 'ralph-task-lists';
import { EXIT } from '../../domain/exit.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { taskCommand } from '../../domain/work-place.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import {
  acceptByYou,
  commitMarks,
  keepPrepared,
  landLine,
  loadTasks,
  mustShow,
  openLab,
} from '../../loop/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { openPorts } from '../setup/ports.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { tidyDo } from '../setup/tidy-do.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type LandInput = ProjectInput & {
  /** Task whose result lands again although you had taken it back; `null`: all waiting results. */
  readonly task: string | null;
  readonly trust: TrustMode;
};
export type LandResult = DataOf<typeof land>;

/** Lands verified results on your branch. Exit code 1 means that some still wait. */
export function land({ task: name, trust, ...input }: LandInput) {
  return inProject(input, (project) =>
    withRunLock(project, 'land', async () => {
      const { root, stateHome, config, gates, line } = project;
      await keepPrepared({ ports: project });
      const now = await line.current();
      if (now === null) return failure('There is no commit yet, so nothing is verified.', 'ralph run');
      const task = name === null ? null : await idOf(project, name);
      const known = now.results.filter(({ taskId }) => name === null || taskId === task);
      if (name !== null && known.length === 0)
        return task === null
          ? failure(`There is no task ${name}.`, 'ralph tasks')
          : failure(`Nothing of ${task} is verified.`, taskCommand('explain', task));
      const entries = project.configEntries();
      const untrusted = await requireTrust({ root, stateHome, config, entries }, trust);
      if (untrusted !== null) return untrusted;
      const planned = project.box();
      if (!planned.ok) return planned;
      const stop = listenForStop();
      const { ports } = openPorts(project, stop, planned.box);
      const folder = mkdtempSync(join(tmpdir(), 'ralph-land-'));
      try {
        const place = { ports, config, root, gates, run: 'land', secrets: secretsOf(config), lab: openLab() };
        if (task !== null && (await line.reopen(task))) await doneAgain(project, task);
        const { landed, waiting } = await landLine(place, folder, { asksHooks: true });
        await markAgain(
          project,
          landed.map(({ taskId }) => taskId),
        );
        await commitMarks(place);
        if (project.owner === 'do') await tidyDo(project);
        return success(
          {
            landed: landed.map(({ taskId, commit, paths }) => ({
              task: taskId,
              commit: config.git.commit === 'never' ? null : commit,
              paths,
            })),
            waiting: waiting === null ? null : { reason: waiting.reason, paths: waiting.paths },
            /** Command that pushes the result; `null`: nothing landed, or runs don't push. */
            push: landed.length === 0 ? null : await pushCommand(project, now.branch),
          },
          waiting === null ? EXIT.ok : EXIT.unexpected,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
        stop.dispose();
      }
    }),
  );
}

/** Writes the marks of landed tasks again, because they may be gone with changes of yours, such as in a stash. */
async function markAgain(project: Project, landed: readonly string[]): Promise<void> {
  if (landed.length === 0) return;
  const loaded = await loadTasks({ ports: project });
  if (!loaded.ok) return;
  for (const { id, status } of loaded.tracker.tasks) {
    const isMeant = landed.includes(id) && taskStateOf(project.store.state, id).doneBy !== null;
    if (isMeant && status !== 'done') await mustShow(project.tracker, id, 'done');
  }
}

/** Marks a task that you land again as done, also if a rollback had reopened it. */
async function doneAgain(project: Project, taskId: string): Promise<void> {
  const loaded = await loadTasks({ ports: project });
  const task = loaded.ok ? loaded.tasks.find(({ id }) => id === taskId) : undefined;
  if (task === undefined || task.status === 'done') return;
  await acceptByYou(project, [task]);
}

async function pushCommand({ config, git }: Project, branch: string | null): Promise<string | null> {
  if (config.git.push === 'never' || config.git.commit === 'never') return null;
  const target = await git.pushTarget(branch);
  return target === null ? null : `git push ${shellQuote(target.remote)} ${shellQuote(target.branch)}`;
}

/** Returns the id of a task that is or was in the list; `null`: there is none by this name. */
async function idOf(project: Project, name: string): Promise<string | null> {
  const loaded = await loadTasks({ ports: project });
  const listed = loaded.ok ? loaded.tasks.map(({ id }) => id) : [];
  return taskFinder([...listed, ...Object.keys(project.store.state.tasks)])(name);
}
