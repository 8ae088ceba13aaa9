import type { JournalBody } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';
import { readViewFiles } from '../../store/view-files.ts';
import { type DataOf, success } from '../result.ts';
import { importedIn, importerFor } from '../setup/import-records.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type ImportResult = DataOf<typeof importRecords>;

/**
 * `ralph import`: imports the records of ralph-gold. Opening the workspace has done that where it was due; files that
 * couldn't be read then are read here, until the first run. Twice gives the same.
 */
export function importRecords(input: ProjectInput) {
  const notices: string[] = [];
  const onNotice = (notice: string) => {
    notices.push(notice);
    input.onNotice?.(notice);
  };
  return inWorkspace({ ...input, onNotice }, async ({ root, folder, config, store }) => {
    const { attempts, blocked } = importedIn(store.state);
    if (store.state.runs.length === 0 && attempts + blocked === 0) {
      const read = await importerFor({ root, config });
      const { records, notes } = read(readViewFiles(folder));
      const added = records.filter((record) => addsTo(store.state, record));
      store.commit(added);
      if (added.length > 0) notes.forEach(onNotice);
    }
    return success({ ...importedIn(store.state), notices });
  });
}

function addsTo({ events }: State, record: JournalBody): boolean {
  if (record.type !== 'imported') return false;
  const hasTasks = Object.keys(record.state?.tasks ?? {}).length > 0;
  return hasTasks || (record.events.length > 0 && events.length === 0);
}
