import { readViewFiles } from '../../io/store/view-files.ts';
import { type DataOf, success } from '../result.ts';
import { importedIn, importerFor } from '../setup/import-records.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type ImportResult = DataOf<typeof importRecords>;

/**
 * `ralph import`: imports the records of ralph-gold. Opening the workspace has done that where it was due; files that
 * couldn't be read then are read here, as long as ralph has no records of its own. Twice gives the same.
 */
export function importRecords(input: ProjectInput) {
  return inWorkspace(input, async ({ root, folder, config, store }) => {
    const { attempts, blocked } = importedIn(store.state);
    // One record at most: an import that found nothing readable.
    if (store.state.seq <= 1 && attempts + blocked === 0) {
      const read = await importerFor({ root, config });
      const { records, notes } = read(readViewFiles(folder));
      store.commit(records.filter((record) => record.type === 'imported' && record.from !== ''));
      for (const note of notes) input.onNotice?.(note);
    }
    return success(importedIn(store.state));
  });
}
