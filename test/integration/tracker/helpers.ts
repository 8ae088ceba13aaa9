import { Config } from '../../../src/domain/config.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import type { Store } from '../../../src/domain/ports.ts';
import { EMPTY_STATE, type State } from '../../../src/domain/records/state.ts';

export const trackerConfig = (fields: Partial<Config['tracker']> = {}): Config['tracker'] => ({
  ...Config.parse({}).tracker,
  ...fields,
});

/** A store in memory that folds the two records a tracker makes. */
export function memoryStore(initial: Partial<State> = {}): Store & { readonly records: Entry[] } {
  let state: State = { ...EMPTY_STATE, ...initial };
  const records: Entry[] = [];
  const unused = (): never => {
    throw new Error('a tracker has no use for this');
  };
  return {
    records,
    get state() {
      return state;
    },
    refresh: () => state,
    commit: (given) => {
      for (const record of typeof given === 'function' ? given(state) : given) {
        records.push(record);
        if (record.type !== 'tracker_accepted') continue;
        const { sha256, ids } = record;
        state = {
          ...state,
          trackerSha256: sha256 ?? state.trackerSha256,
          rememberedIds: ids ?? state.rememberedIds,
        };
      }
      return state;
    },
    follow: unused,
    unlocked: unused,
    acceptJournal: unused,
    writeViews: unused,
    iterationFolder: unused,
    writeDocument: unused,
    openLog: unused,
    keepPatch: unused,
    readDocument: unused,
    keepWords: unused,
    wholeWords: unused,
    keepPrompt: unused,
    forgetPrompt: unused,
  };
}
