import type { Config } from '../../domain/config.ts';
import { IMPORTED_RUN } from '../../domain/records/journal.ts';
import type { State } from '../../domain/records/state.ts';
import { loadImport } from '../../state/index.ts';
import type { StoreOptions } from '../../store/store-paths.ts';
import { hasViewsOnly } from '../../store/view-files.ts';
import { taskIdsInOrder } from './task-ids.ts';

type Importer = StoreOptions['importViews'];
type Place = { readonly root: string; readonly config: Pick<Config, 'tracker'> };

/**
 * Returns the function that reads records of ralph-gold when a store opens. It is loaded only where `folder`, ralph's,
 * has documents and no journal.
 */
export async function importerOf(place: Place, folder: string): Promise<Importer> {
  return hasViewsOnly(folder) ? importerFor(place) : () => ({ records: [], notes: [] });
}

/** Returns the function that reads records of ralph-gold, and says in one line what it read. */
export async function importerFor({ root, config }: Place): Promise<Importer> {
  const importViews = await loadImport();
  return (files) => {
    const { records, notes } = importViews(files, () => taskIdsInOrder(root, config.tracker));
    return { records, notes: notes.length === 0 ? [] : [`Read once: ${notes.join('; ')}.`] };
  };
}

/** Returns how many attempts and blocked tasks come from another program's records. */
export function importedIn({ tasks }: Pick<State, 'tasks'>) {
  const all = Object.values(tasks);
  return {
    attempts: all.flatMap((task) => task.attempts).filter(({ run }) => run === IMPORTED_RUN).length,
    blocked: all.filter((task) => task.blocked?.run === IMPORTED_RUN).length,
  };
}
