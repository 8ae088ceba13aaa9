import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../io/clock.ts';
import { readPlainFile } from '../../io/store/index.ts';
import type { Workspace } from './project.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Removes the reports of incidents that were resolved more than `preserve_incident_data_days` ago, where
 * `auto_cleanup = true`. What the journal says of them stays. Called at the start of a run, under its lock.
 *
 * @returns the ids of those that were removed. What cannot be removed stays.
 */
export function cleanIncidents({
  root,
  config,
  store,
}: Pick<Workspace, 'root' | 'config' | 'store'>): readonly string[] {
  const { auto_cleanup, preserve_incident_data_days: days } = config.interventions;
  if (!auto_cleanup) return [];
  const before = Date.parse(systemClock().now()) - days * DAY_MS;
  const old = store.state.incidents.filter(
    ({ resolved }) => resolved !== null && Date.parse(resolved.at) < before,
  );
  return old.map(({ id }) => id).filter((id) => removeReport(root, id));
}

/** A link, a folder, or what lies behind a linked folder isn't a report of ralph and stays. */
function removeReport(root: string, id: string): boolean {
  if (!/^INC-\d+$/.test(id)) return false;
  const folder = join(root, '.ralph', 'incidents');
  const path = join(folder, `${id}.json`);
  try {
    if (readPlainFile(folder).kind === 'link' || readPlainFile(path).kind !== 'file') return false;
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
