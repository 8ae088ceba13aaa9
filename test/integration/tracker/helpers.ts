import { Config } from '../../../src/domain/config.ts';
import type { Store } from '../../../src/domain/ports.ts';
import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';

export const trackerConfig = (fields: Partial<Config['tracker']> = {}): Config['tracker'] => ({
  ...Config.parse({}).tracker,
  ...fields,
});

/** A store in memory that folds the two records a tracker makes. */
export function memoryStore(initial: Partial<State> = {}): Store & { readonly records: JournalBody[] } {
  let state: State = { ...EMPTY_STATE, ...initial };
  const records: JournalBody[] = [];
  const unused = (): never => {
    throw new Error('a tracker has no use for this');
  };
  return {
    records,
    get state() {
      return state;
    },
    refresh: () => state,
    commit: (build) => {
      for (const record of build(state)) {
        records.push(record);
        if (record.type === 'ids_remembered') state = { ...state, rememberedIds: record.ids };
        if (record.type === 'tracker_accepted') state = { ...state, trackerSha256: record.sha256 };
      }
      return state;
    },
    unlocked: unused,
    acceptJournal: unused,
    writeViews: unused,
    iterationFolder: unused,
    writeDocument: unused,
    openLog: unused,
    keepPatch: unused,
    readDocument: unused,
  };
}
