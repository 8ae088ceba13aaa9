import { join } from 'node:path';
import { pruneBoxes } from 'ralph-box';
import { counted } from 'ralph-kit/counted';
import { type Orphan, reapOrphans } from 'ralph-kit/programs/table/orphans';
import { byteRedactor } from 'ralph-kit/redact';
import { firstFew } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { RUNS_KEPT, type TaskState } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { pruneHooks } from '../../io/hook/index.ts';
import { endLeftLogs, pruneRuns, removePlainFile } from '../../store/index.ts';
import type { Project } from './project.ts';
import { hookFolderOf } from './review-setup.ts';
import { secretsOf } from './secrets-of.ts';
import type { Workspace } from './workspace.ts';

const NAMED = 5;
const DAY_MS = 24 * 3600 * 1000;

/** Removes leftovers of earlier runs, and ends processes of killed runs. The caller holds the run lock. */
export async function tidyUp(project: Project, warn: (message: string) => void): Promise<void> {
  const { orphans, survivors } = await reapOrphans(project.root, systemClock());
  if (orphans.length > 0) {
    warn(`Ended ${processes(orphans)} that a killed run had left here: ${firstFew(named(orphans), NAMED)}.`);
  }
  if (survivors.length > 0) {
    warn(
      `${processes(survivors)} of them could not be ended: ${firstFew(named(survivors), NAMED)}. Find them with ps; they may still write to this folder.`,
    );
  }
  hideInLeftLogs(project);
  cleanIncidents(project);
  pruneOldRuns(project);
  pruneHooks(hookFolderOf(project));
  pruneBoxes(project.stateHome);
}

/** Logs left by a killed run still contain secrets. */
function hideInLeftLogs({ folder, config }: Project): void {
  endLeftLogs(join(folder, 'runs'), byteRedactor(secretsOf(config)));
}

function processes(orphans: readonly Orphan[]): string {
  return counted(orphans.length, 'process', 'processes');
}

function named(orphans: readonly Orphan[]): string[] {
  return orphans.map(({ pid, command }) => `${pid} (${command || 'no name'})`);
}

/** Removes folders of old runs, except those of unfinished tasks. */
function pruneOldRuns({ folder, store }: Project): void {
  const unfinished = Object.values(store.state.tasks).filter(({ doneBy }) => doneBy === null);
  const needed = unfinished.flatMap(({ attempts }) => attempts.map(({ run }) => run));
  pruneRuns(folder, RUNS_KEPT, new Set(needed));
}

/**
 * Removes reports of incidents that were resolved more than `preserve_incident_data_days` ago, if `auto_cleanup =
 * true`. The caller holds the run lock, and the journal's records stay. Returns the ids of removed reports, without
 * those that couldn't be removed.
 */
export function cleanIncidents({
  folder,
  config,
  store,
}: Pick<Workspace, 'folder' | 'config' | 'store'>): readonly string[] {
  const { auto_cleanup, preserve_incident_data_days: days } = config.interventions;
  if (!auto_cleanup) return [];
  const before = Date.parse(systemClock().now()) - days * DAY_MS;
  const old = store.state.incidents.filter(
    ({ resolved }) => resolved !== null && Date.parse(resolved.at) < before,
  );
  return old.map(({ id }) => id).filter((id) => removeReport(folder, id));
}

/** A link, a folder, or a file behind a linked folder isn't ralph's report, and stays. */
function removeReport(folder: string, id: string): boolean {
  if (!/^INC-\d+$/.test(id)) return false;
  return tryOr(false, () => removePlainFile(join(folder, 'incidents', `${id}.json`)));
}

/** A leftover of attempts. `done`: it was removed; otherwise you decide. */
export type CleanUpItem = {
  readonly what: string;
  readonly done: boolean;
  readonly items: readonly string[];
};

/**
 * Removes leftovers of a given-up task that are safe to remove, and returns them with the others. The caller holds the
 * run lock.
 */
export async function cleanUpAfter(project: Project, task: TaskState): Promise<readonly CleanUpItem[]> {
  const { orphans, survivors } = await reapOrphans(project.root, systemClock());
  pruneHooks(hookFolderOf(project));
  pruneBoxes(project.stateHome);
  const alive = new Set(survivors.map(({ pid }) => pid));
  const ended = orphans.filter(({ pid }) => !alive.has(pid));
  const list: CleanUpItem[] = [];
  const add = (what: string, done: boolean, items: readonly string[] = []) =>
    list.push({ what, done, items });
  add(
    ended.length === 0 ? 'No process of an agent was left' : 'Processes of agents were ended',
    true,
    named(ended),
  );
  if (survivors.length > 0)
    add('Processes that could not be ended; find them with ps', false, named(survivors));
  add('What gates had left outside of the repository is removed', true);
  if (task.throttle !== null) add('Its lowered limits are lifted', true);
  if (task.reinforce.length > 0) add('Its prompt is no longer rebuilt', true);
  return list;
}
