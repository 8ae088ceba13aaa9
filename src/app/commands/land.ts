import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { taskStateOf } from '../../domain/records/state.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { acceptByYou, commitMarks, keepPrepared, landLine, loadTasks, openLab } from '../../loop/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { openPorts } from '../setup/ports.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type LandInput = ProjectInput & {
  /** Land this one again, which you took back; `null`: what waits. */
  readonly task: string | null;
  readonly trust: TrustMode;
};
export type LandResult = DataOf<typeof land>;

/** `ralph land [TASK]`: brings what is verified and waits to your branch; exit 1 where something still waits. */
export function land({ task, trust, ...input }: LandInput) {
  return inProject(input, (project) =>
    withRunLock(project, 'land', async () => {
      const { root, stateHome, config, gates, line } = project;
      await keepPrepared({ ports: project });
      const now = await line.look();
      if (now === null) return failure('There is no commit yet, so nothing is verified.', 'ralph run');
      const known = now.results.filter(({ taskId }) => task === null || taskId === task);
      if (task !== null && known.length === 0)
        return failure(`Nothing of ${task} is verified.`, 'ralph status');
      const entries = project.configEntries();
      const untrusted = await requireTrust({ root, stateHome, config, entries }, trust);
      if (untrusted !== null) return untrusted;
      const planned = project.box();
      if (!planned.ok) return planned;
      const stop = listenForStop();
      const { ports, close } = openPorts(project, stop, planned.box);
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
        return success(
          {
            landed: landed.map(({ taskId, commit, paths }) => ({
              ...{ task: taskId, commit: config.git.commit === 'never' ? null : commit, paths },
            })),
            waiting: waiting === null ? null : { reason: waiting.reason, paths: waiting.paths },
            /** What pushes it, where runs push; `null`: they don't. */
            push: landed.length === 0 ? null : await pushCommand(project, now.branch),
          },
          waiting === null ? EXIT.ok : EXIT.unexpected,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
        stop.dispose();
        await close();
      }
    }),
  );
}

/** What is on record as done is marked so once it landed, also where its mark went with your own changes (a stash): the last commit has it then. */
async function markAgain(project: Project, landed: readonly string[]): Promise<void> {
  if (landed.length === 0) return;
  const loaded = await loadTasks({ ports: project });
  if (!loaded.ok) return;
  for (const { id, status } of loaded.tracker.tasks) {
    const isMeant = landed.includes(id) && taskStateOf(project.store.state, id).doneBy !== null;
    if (isMeant && status !== 'done') await project.tracker.setStatus(id, 'done');
  }
}

/** What you land again is done, also where a rollback had opened its task. */
async function doneAgain(project: Project, taskId: string): Promise<void> {
  const loaded = await loadTasks({ ports: project });
  const task = loaded.ok ? loaded.tasks.find(({ id }) => id === taskId) : undefined;
  if (task === undefined || task.status === 'done') return;
  acceptByYou(project, [task]);
  await project.tracker.setStatus(taskId, 'done');
}

async function pushCommand({ config, git }: Project, branch: string | null): Promise<string | null> {
  if (config.git.push === 'never' || config.git.commit === 'never') return null;
  const target = await git.pushTarget(branch);
  return target === null ? null : `git push ${shellQuote(target.remote)} ${shellQuote(target.branch)}`;
}
