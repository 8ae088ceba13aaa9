import { join } from 'node:path';
import type { JournalRecord } from '../../domain/records/journal.ts';
import { readRecords } from '../../io/store/index.ts';
import type { Project } from '../setup/project.ts';
import { placeOf } from '../setup/state-home.ts';

/** The tree that what is kept as `kept/N` is compared with: what a rollback put in its place, or what the work of a task began from; `null`: that isn't on record. */
export function baseOfKept(
  { root, stateHome, gitDir, commonDir }: Pick<Project, 'root' | 'stateHome' | 'gitDir' | 'commonDir'>,
  id: string,
): string | null {
  const baseIn = (record: JournalRecord): string | null => {
    if (record.type === 'rollback_finished' && record.kept === id) return record.tree;
    if (record.type === 'work_set_aside' && record.setAside?.checkpoint === id) return record.setAside.base;
    return null;
  };
  const records = readRecords(join(root, '.ralph'), stateHome, placeOf({ gitDir, commonDir }), (part) =>
    part.some((record) => baseIn(record) !== null),
  );
  return records.map(baseIn).findLast((tree) => tree !== null) ?? null;
}
