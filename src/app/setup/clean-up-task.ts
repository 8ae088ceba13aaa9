import type { TaskState } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { pruneHooks } from '../../io/hook/index.ts';
import { type Orphan, reapOrphans } from '../../io/proc/index.ts';
import type { Project } from './project.ts';
import { hookFolderOf } from './review-setup.ts';

/** Something that attempts left, with its parts. `done`: it is cleaned up; else it is the person's to decide. */
export type CleanUpItem = {
  readonly what: string;
  readonly done: boolean;
  readonly items: readonly string[];
};

/** Cleans up what is safe to be cleaned up after a task that is given up, and names the rest. The run lock is held. */
export async function cleanUpAfter(project: Project, task: TaskState): Promise<readonly CleanUpItem[]> {
  const { git } = project;
  const { found, survivors } = await reapOrphans(project.root, systemClock());
  pruneHooks(hookFolderOf(project));
  const dirty = new Set(await git.dirtyPaths(await git.snapshot()));
  const left = task.uncommittedPaths.filter((path) => dirty.has(path));
  const alive = new Set(survivors.map(({ pid }) => pid));
  const ended = found.filter(({ pid }) => !alive.has(pid));
  const list: CleanUpItem[] = [];
  const add = (what: string, done: boolean, items: readonly string[] = []) =>
    list.push({ what, done, items });
  add(
    ended.length === 0 ? 'No process of an agent was left' : 'Processes of agents were ended',
    true,
    named(ended),
  );
  if (survivors.length > 0)
    add('Processes that could not be ended; look for them with ps', false, named(survivors));
  add('What gates had left outside of the repository is removed', true);
  if (task.throttle !== null) add('Its lowered limits hold no more', true);
  if (task.reinforce.length > 0) add('Its prompt is not rebuilt any more', true);
  if (left.length > 0) add('What it changed is still there and not committed; see git diff', false, left);
  return list;
}

function named(orphans: readonly Orphan[]): string[] {
  return orphans.map(({ pid, command }) => `${pid} (${command || 'no name'})`);
}
